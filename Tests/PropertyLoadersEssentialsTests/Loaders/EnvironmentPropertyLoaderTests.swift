import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The environment as a source")
struct EnvironmentPropertyLoaderTests {
    static let names: [(variable: String, prefix: String, property: String)] = [
        ("APP_API__TIMEOUT", "APP_", "api.timeout"),
        ("APP_API__TIMEOUT", "APP", "api.timeout"),
        ("APP_API__BASE_URL", "APP_", "api.base_url"),
        ("APP_A__B__C", "APP_", "a.b.c"),
        ("APP_Debug", "APP_", "debug"),
        ("APP_api.timeout", "APP_", "api.timeout"),
        ("APP___X", "APP_", "__x"),
        ("APP_X__", "APP_", "x__"),
        ("APP_A___B", "APP_", "a._b"),
        ("HOME", "", "home"),
        ("_", "", "_"),
        ("APP_A__\u{301}B", "APP_", "a.\u{301}b"),
        ("APP_A.\u{301}B", "APP", "a.\u{301}b"),
    ]

    @Test("The name of a variable becomes the name of a property", arguments: names)
    func name(_ row: (variable: String, prefix: String, property: String)) throws {
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(prefix: row.prefix, environment: [row.variable: "v"]))
        #expect(store.values == ["\(row.property)=\"v\""])
    }

    @Test("Variables without the prefix are ignored, and so is the prefix alone")
    func others() throws {
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(
                prefix: "APP", environment: ["APPLE": "1", "APP_": "2", "app_x": "3", "HOME": "/"]))
        #expect(store.values.isEmpty)
    }

    @Test("Text converts to the requested type, and its origin is the variable")
    func values() throws {
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(prefix: "APP_", environment: ["APP_PORT": "80", "APP_OFF": "no"]))
        #expect(store.property("port") == 80)
        #expect(store.property("port") == "80")
        #expect(store.property("off") == false)
        #expect(store.listing == ["off=\"no\" (environment APP_OFF)", "port=\"80\" (environment APP_PORT)"])
        let error = #expect(throws: PropertyError.self) { try store.require("off", as: Int.self) }
        #expect(
            error?.description
                == "environment APP_OFF: 'off' is a text that may be secret; expected an integer. "
                + "Write decimal digits.")
    }

    @Test("A process sees variables that are set while it runs (in a child process)")
    func child() async {
        await #expect(processExitsWith: .success) {
            let store = PropertyStore()
            unsafe setenv("SERVICES_TEST_API__TIMEOUT", "5", 1)
            try store.apply(EnvironmentPropertyLoader(prefix: "SERVICES_TEST_"))
            guard store.property("api.timeout") == 5 else { exit(1) }
            unsafe setenv("SERVICES_TEST_API__TIMEOUT", "6", 1)
            try store.reload()
            guard store.property("api.timeout") == 6 else { exit(2) }
        }
    }

    @Test("Two variables whose names are canonically equivalent are two properties (in a child process)")
    func sameCharacters() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("SERVICES_TEST_\u{E9}", "1", 1)
            unsafe setenv("SERVICES_TEST_e\u{301}", "2", 1)
            let store = try PropertyStore(sources: EnvironmentPropertyLoader(prefix: "SERVICES_TEST_"))
            #expect(store.entries.count == 2)
            #expect(store.property("\u{E9}") == 1)
            #expect(store.property("e\u{301}") == 2)
        }
    }

    @Test("A variable that is not UTF-8 is data (in a child process)")
    func bytes() async {
        await #expect(processExitsWith: .success) {
            let value: [CChar] = [0x61, -1, 0x62, 0]
            unsafe setenv("SERVICES_TEST_KEY", value, 1)
            unsafe setenv("SERVICES_TEST_TEXT", "\u{FFFD}", 1)
            let store = try PropertyStore(sources: EnvironmentPropertyLoader(prefix: "SERVICES_TEST_"))
            #expect(store.property("key") == Data([0x61, 0xFF, 0x62]))
            #expect(store.property("key") as String? == nil)
            #expect(store.property("text") == "\u{FFFD}")
            #expect(store.explain("key").map { "\($0.node.origin)" } == ["environment SERVICES_TEST_KEY"])
            let error = loadError {
                try PropertyStore(sources: Given(["x": "${env:SERVICES_TEST_KEY}"]).replacingPlaceholders())
            }
            #expect(error?.description.contains("SERVICES_TEST_KEY") == true)
        }
    }

    @Test("Two variables with one name, or one for a value and one for a table, are an error that names both")
    func conflicts() throws {
        let loader = EnvironmentPropertyLoader(prefix: "APP_", environment: ["APP_x": "1", "APP_X": "2"])
        let twice = loadError { try loader.load() }
        #expect(
            twice?.description
                == "environment APP_x: this name is set twice, or is a value in one place and a table in another "
                + "(the other is environment APP_X). Leave one of them out.")
        loadError {
            try EnvironmentPropertyLoader(prefix: "", environment: ["API": "1", "API__T": "2"]).load()
        }
        loadError {
            try EnvironmentPropertyLoader(prefix: "", environment: ["API__T__X": "1", "API__T": "2"]).load()
        }
    }
}

@Suite("Variables for names that another source spells differently")
struct LooseNameTests {
    static let spellings = ["api.baseURL", "api.base_url", "api.BaseUrl", "api.base-url", "API.baseurl"]

    private func environment(_ variables: [String: String]) -> EnvironmentPropertyLoader {
        EnvironmentPropertyLoader(prefix: "APP_", environment: variables)
    }

    private func nested(_ name: String, _ value: PropertyValue) -> Given {
        let parts = name.split(separator: ".").map(String.init)
        return Given("file", [parts[0]: .table(PropertyTable([(parts[1], value), ("other", 1)]))])
    }

    @Test("The environment takes the spelling of a file, whichever was applied first", arguments: spellings)
    func both(_ spelling: String) throws {
        let variable = environment(["APP_API__BASE_URL": "new"])
        let after = try PropertyStore(sources: nested(spelling, "old"), variable)
        #expect(after.property(PropertyKey(spelling)) == "new")
        #expect(after.entries.count == 2)
        let before = try PropertyStore(sources: variable, nested(spelling, "old"))
        #expect(before.property(PropertyKey(spelling)) == "old")
        #expect(before.explain(spelling).map(\.valueText) == ["\"old\"", "\"new\""])
    }

    @Test("A variable matches a key that contains a dot, and a new leaf goes into the existing table")
    func dots() throws {
        let store = try PropertyStore(
            sources: Given(["hosts": ["db.Internal": 1], "httpServer": ["port": 1]]),
            environment(["APP_HOSTS__DB__INTERNAL": "2", "APP_HTTP_SERVER__NEW_KEY": "3"]))
        #expect(store.values == ["hosts.db.Internal=\"2\"", "httpServer.new_key=\"3\"", "httpServer.port=1"])
    }

    @Test("A name that exists exactly as written is chosen, even if similar ones exist")
    func exact() throws {
        let store = try PropertyStore(sources: Given(["a_b": 1, "aB": 2]), environment(["APP_A_B": "3"]))
        #expect(store.values == ["aB=2", "a_b=\"3\""])
    }

    @Test("An ambiguous name is an error that shows all candidates, and the store stays as it was")
    func ambiguous() throws {
        let store = try PropertyStore(sources: Given("one", ["aB": 1]), Given("two", ["AB": 2]))
        let error = loadError { try store.apply(environment(["APP_A_B": "3"])) }
        #expect(error?.reason == .ambiguous)
        #expect(
            error?.description == "environment APP_A_B: the name 'a_b' may mean 'aB' and 'AB' ('aB' is at one) "
                + "('AB' is at two). Let all other sources spell the name in one way.")
        #expect(store.values == ["AB=2", "aB=1"])
    }

    @Test("Two variables for one name are an error")
    func twoVariables() throws {
        let store = try PropertyStore(sources: Given(["baseURL": 1]))
        let error = loadError {
            try store.apply(environment(["APP_BASE_URL": "1", "APP_BASEURL": "2"]))
        }
        #expect(error?.reason == .duplicate)
        #expect(error?.description.contains("environment APP_BASEURL") == true)
    }

    @Test("A variable of a parent takes the spelling of the child's source, but only in the child")
    func child() throws {
        let parent = try PropertyStore(sources: environment(["APP_BASE_URL": "env"]))
        let child = PropertyStore(parent: parent)
        try child.apply(Given(["baseURL": "file", "other": 1]))
        #expect(child.values == ["baseURL=\"file\"", "other=1"])
        #expect(parent.values == ["base_url=\"env\""])
    }

    @Test("If a key is duplicated, variables take the spelling only from the later one")
    func duplicateKey() throws {
        let text = #"{"a": {"bC": 1}, "a": {"x": 1}}"#
        let store = try PropertyStore(sources: JsonPropertyLoader(string: text, name: "twice"))
        try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_A__B_C": "2"]))
        #expect(store.values == ["a.b_c=\"2\"", "a.x=1"])
    }

    @Test("A value is masked if its ambiguous name may be that of a secret")
    func maskedWhereUnclear() throws {
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(
                prefix: "APP", environment: ["APP_DB__PASSWORD": "hunter2", "APP_DB__PASS_WORD": "hunter3"]))
        store.declareSecret("db.password")
        #expect(store.warnings.first?.reason == .duplicate)
        #expect(!store.listing.joined().contains("hunter"))
        #expect(try store.json()?.contains("hunter") == false)
    }
}

@Suite("Variables for names that a declared key spells differently")
struct DeclaredNameTests {
    @Test("The environment takes the spelling of a declared key, whichever came first")
    func declared() throws {
        let key = TypedKey<Int>("api.maxConnections")
        let store = PropertyStore()
        try store.apply(EnvironmentPropertyLoader(prefix: "", environment: ["API__MAX_CONNECTIONS": "5"]))
        #expect(store.values == ["api.max_connections=\"5\""])
        store.declare(key)
        #expect(store.values == ["api.maxConnections=\"5\""])
        #expect(try store.require(key) == 5)
        try store.verify(unknownKeys: .refused)
    }
}
