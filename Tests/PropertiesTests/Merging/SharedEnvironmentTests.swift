import Properties
import PropertyLoadersEssentials
import Testing

@Suite("An environment without a prefix, whose variables may be those of other programs")
struct SharedEnvironmentTests {
    private struct Server: Settings {
        @Setting var port = 8080
        @Setting var host = "h"
    }

    private func store(_ variables: [String: String], _ sources: Literal...) throws -> PropertyStore {
        let store = PropertyStore()
        let environment = EnvironmentPropertyLoader(prefix: "", environment: variables)
        try store.apply([environment] + sources)
        let last = PropertyStore()
        try last.apply(sources + [environment])
        #expect(store.warnings.map(\.description) == last.warnings.map(\.description))
        return last
    }

    private func warning(_ variable: String, _ name: String) -> String {
        "environment \(variable): '\(name)' is a table in another source, so this variable is not loaded (the table is at "
            + "a). Load the variables of this program only, by a prefix."
    }

    @Test("A variable with the name of an undeclared table of another source is passed over, too")
    func undeclaredTable() throws {
        let store = try store(
            ["USER": "root", "A__B": "x", "A__B__C": "2"], Literal("a", ["user.name": "service", "a.b.c": 1]))
        #expect((store.property("user.name"), store.property("a.b.c")) == ("service", 2))
        #expect(store.warnings.map(\.description) == [warning("USER", "user"), warning("A__B", "a.b")])
    }

    @Test("Two variables of other programs, one inside the other, stop nothing")
    func insideEachOther() throws {
        let store = try store(["FOO": "x", "FOO__BAR": "2"], Literal("a", ["foo.bar": 1]))
        #expect(store.property("foo.bar") == 2)
        #expect(store.property("foo") == String?.none)
        #expect(store.warnings.map(\.description) == [warning("FOO", "foo")])
        let prefixed = PropertyStore()
        try prefixed.apply([
            EnvironmentPropertyLoader(prefix: "", environment: ["FOO": "x", "FOO__BAR": "2"]),
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_FOO__BAR": "3"]),
        ])
        #expect(prefixed.property("foo.bar") == 3)
    }

    @Test("A variable with the name of a declared value is loaded, also if another source has a table there")
    func declaredValue() throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("foo"))
        try store.apply([
            Literal("a", ["foo.bar": 1]), EnvironmentPropertyLoader(prefix: "", environment: ["FOO": "x"]),
        ])
        #expect(store.property("foo") == "x")
        #expect(store.warnings.isEmpty)
    }

    @Test("A variable of an environment without a prefix is passed over, with a warning that names it")
    func sharedEnvironment() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "http.server")
        store.declare(TypedKey<String>("log.level"))
        try store.applyAndVerify([
            Literal("a", ["http.server.port": 1, "log.level": "debug"]),
            EnvironmentPropertyLoader(prefix: "", environment: ["HTTP": "x", "LOG": "y", "HTTP_SERVER_HOST": "z"]),
        ])
        #expect(try store.settings(Server.self).port == 1)
        #expect(store.property("log.level") == "debug")
        #expect(
            store.warnings.map(\.description) == [
                "environment HTTP: 'http' is a table of settings, so this variable is not loaded. Load the variables of "
                    + "this program only, by a prefix.",
                "environment LOG: 'log' is a table of settings, so this variable is not loaded. Load the variables of "
                    + "this program only, by a prefix.",
            ])
    }

    @Test("A variable beside those of the table of its name is passed over, and each warning names it")
    func besideTable() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "http.server")
        let variables = ["HTTP": "x", "HTTP__SERVER__PORT": "1", "HTTP__SERVER": "y", "A": "1", "A__B": "2"]
        try store.applyAndVerify([
            Literal("a", ["http.server.host": "z"]), EnvironmentPropertyLoader(prefix: "", environment: variables),
        ])
        let settings = try store.settings(Server.self)
        #expect((settings.port, settings.host) == (1, "z"))
        let tail =
            "is a table of settings, so this variable is not loaded. Load the variables of this program only, by a "
        #expect(
            store.warnings.map(\.description) == [
                "environment HTTP: 'http' \(tail)prefix.", "environment HTTP__SERVER: 'http.server' \(tail)prefix.",
            ])
        // Where no source has a table of the name, both variables are properties.
        #expect((store.property("a"), store.property("a.b")) == (1, 2))
    }

    @Test("A variable of a declared value is loaded beside one with a name inside it")
    func besideValue() throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("http"))
        try store.applyAndVerify([
            EnvironmentPropertyLoader(prefix: "", environment: ["HTTP": "x", "HTTP__SERVER__PORT": "1"])
        ])
        #expect(store.property("http") == "x")
        #expect(store.warnings.isEmpty)
    }

    @Test("A variable inside another one is a single key, in whatever order their names sort")
    func sortedBefore() throws {
        let store = try store(["A.B__C": "2", "A__B": "1", "b__c": "4", "B": "3"], Literal("a", ["port": 1]))
        #expect(
            store.entries.filter { $0.name != "port" }.map(\.description) == [
                "a.b = \"1\" (environment A__B)", "a.b.c = \"2\" (environment A.B__C)",
                "b = \"3\" (environment B)", "b.c = \"4\" (environment b__c)",
            ])
    }

    private static let twice = [
        "http_proxy": "a", "HTTP_PROXY": "b", "Http_Proxy": "c", "A__B": "1", "A.B": "2", "a.b": "3",
    ]

    @Test("Variables whose names differ only in case stop nothing, and the one in lower case has the name")
    func differsInCase() throws {
        let store = try store(Self.twice, Literal("a", ["port": 1]))
        #expect(store.property("port") == 1)
        #expect(
            store.entries.map(\.description).filter { !$0.hasPrefix("port") } == [
                "A.B = \"2\" (environment A.B)", "A__B = \"1\" (environment A__B)",
                "HTTP_PROXY = \"b\" (environment HTTP_PROXY)",
                "Http_Proxy = \"c\" (environment Http_Proxy)", "a.b = \"3\" (environment a.b)",
                "http_proxy = \"a\" (environment http_proxy)",
            ])
        #expect(store.warnings.isEmpty)
    }

    @Test("If such a name is declared, or in another source, different values are a mistake, and equal ones are not")
    func declaredTwice() throws {
        let message = """
            environment HTTP_PROXY: 'http_proxy' is set twice (the other is environment http_proxy). Leave one of them \
            out.
            """
        let declared = PropertyStore()
        declared.declare(TypedKey<String>("http_proxy"))
        let different = EnvironmentPropertyLoader(prefix: "", environment: ["http_proxy": "a", "HTTP_PROXY": "b"])
        let error = #expect(throws: ConfigurationErrors.self) { try declared.apply(different) }
        #expect(error?.description == message)
        let other = PropertyStore()
        let otherError = #expect(throws: ConfigurationErrors.self) {
            try other.apply([Literal("a", ["http_proxy": "x"]), different])
        }
        #expect(otherError?.description == message)
        let equal = EnvironmentPropertyLoader(prefix: "", environment: ["http_proxy": "a", "HTTP_PROXY": "a"])
        try declared.apply(equal)
        #expect(declared.entries.map(\.description) == ["http_proxy = \"a\" (environment http_proxy)"])
        // A declaration that follows cannot be refused, so it makes a warning.
        let late = PropertyStore()
        try late.apply(different)
        late.declare(TypedKey<String>("http_proxy"))
        #expect(late.warnings.map(\.description) == [message])
    }
}
