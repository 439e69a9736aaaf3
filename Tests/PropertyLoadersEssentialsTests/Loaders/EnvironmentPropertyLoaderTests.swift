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
        ("APP_Debug", "APP_", "Debug"),
        ("APP_api.timeout", "APP_", "api.timeout"),
        ("APP___X", "APP_", "__x"),
        ("APP_X__", "APP_", "x__"),
        ("APP_A___B", "APP_", "a._b"),
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
            #expect(store.history(of: "key").map { "\($0.node.origin)" } == ["environment SERVICES_TEST_KEY"])
            let error = loadError {
                try PropertyStore(sources: Given(["x": "${env:SERVICES_TEST_KEY}"]).replacingPlaceholders())
            }
            #expect(error?.description.contains("SERVICES_TEST_KEY") == true)
        }
    }

    @Test("Two variables with one name are an error that names both")
    func conflicts() throws {
        let loader = EnvironmentPropertyLoader(prefix: "APP_", environment: ["APP_x__y": "1", "APP_X__Y": "2"])
        let twice = loadError { try loader.load() }
        #expect(
            twice?.description
                == "environment APP_x__y: this name is set twice (the other is environment APP_X__Y). Leave one of them "
                + "out.")
    }

    @Test("A variable below the name of a value is an error that names the variable")
    func belowValue() throws {
        struct App: Settings { @Setting var host = "localhost" }
        let store = PropertyStore()
        store.declare(App.self)
        for (variables, place) in [
            (["APP_HOST__PORT": "1"], "environment APP_HOST__PORT"),
            (["APP_HOST__B__C": "1", "APP_HOST__A": "2"], "environment APP_HOST__A"),
        ] {
            let error = #expect(throws: ConfigurationErrors.self) {
                try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: variables))
                try store.verify()
            }
            #expect(
                error?.problems.map { "\($0.error)" } == [
                    "\(place): 'host' is a table of \(variables.count) key\(variables.count == 1 ? "" : "s"); "
                        + "expected a string. Remove it, or correct its name, which is longer than the setting's."
                ])
        }
    }

    @Test("A variable with the path of a file is unknown, and the advice says how to set the value")
    func pathOfFile() throws {
        struct App: Settings {
            @Setting(isSecret: true) var password: String?
            @Setting var certFile: String?
        }
        let store = PropertyStore()
        store.declare(App.self)
        let variables = ["APP_PASSWORD_FILE": "/run/secrets/password", "APP_CERT_FILE": "c.pem"]
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([EnvironmentPropertyLoader(prefix: "APP", environment: variables)])
        }
        #expect(
            error?.lines
                == "environment APP_PASSWORD_FILE: 'password_file' is neither declared nor read by a service. Set 'password' itself, as "
                + "APP_PASSWORD: the path of its file is not read from a variable.")
    }

    @Test("A variable inside another one is a property of its own, and one with a lower-case letter keeps its case")
    func beside() throws {
        let variables = ["APP_API": "1", "APP_API__T": "2", "APP_api__T__X": "3", "APP_Api": "4"]
        let store = try PropertyStore(sources: EnvironmentPropertyLoader(prefix: "APP", environment: variables))
        #expect(store.values == [#"Api="4""#, #"api="1""#, #"api.T.X="3""#, #"api.t="2""#])
    }
}
