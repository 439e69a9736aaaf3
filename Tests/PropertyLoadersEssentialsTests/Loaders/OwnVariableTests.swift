import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

private struct Database: Settings {
    struct TLS: Settings { @Setting(environment: "DB_CA_FILE") var caFile: String? }
    @Setting("Where the data are", environment: "DATABASE_URL", isSecret: true) var url: String
    @Setting(environment: "DB_POOL") var pool = 4
    var tls = TLS()
}

private struct Plain: Settings {
    @Setting("Where clients connect", in: 1...65535, environment: "PORT") var port = 8080
    @Setting(environment: "HOSTS") var hosts: [String] = []
    @Setting(environment: "LABELS") var labels: [String: String] = [:]
    @Setting var name = "?"
}

private struct Element: Settings { @Setting(environment: "ELEMENT_URL") var url = "none" }

@Suite("A variable of a setting's own")
struct OwnVariableTests {
    private func environment(_ variables: [String: String], prefix: String = "APP") -> EnvironmentPropertyLoader {
        EnvironmentPropertyLoader(prefix: prefix, environment: variables)
    }

    private func store(_ loaders: any PropertyLoader...) throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(Plain.self, at: "server")
        try store.start(loaders, unknownKeys: .refused)
        return store
    }

    @Test("It sets the setting, whatever the prefix of the environment", arguments: ["APP", "APP_", "", "PORT", "P"])
    func prefixes(prefix: String) throws {
        let store = try store(
            environment(["PORT": "80", "HOSTS": "a,b", "LABELS": #"{"team": "x"}"#, "OTHER": "x"], prefix: prefix))
        let server = try store.settings(Plain.self)
        #expect((server.port, server.hosts, server.labels) == (80, ["a", "b"], ["team": "x"]))
        #expect(store.history(of: "server.port").map(\.description) == [#"server.port = "80" (environment PORT)"#])
    }

    @Test("The spelling with the prefix counts, and both are explained")
    func both() throws {
        let store = try store(environment(["PORT": "80", "APP_SERVER_PORT": "81"]))
        #expect(try store.settings(Plain.self).port == 81)
        #expect(
            store.history(of: "server.port").map(\.description) == [
                #"server.port = "81" (environment APP_SERVER_PORT)"#, #"server.port = "80" (environment PORT)"#,
            ])
        let explanation = try store.explain("server.port")
        #expect(explanation.description.contains("variable   PORT"))
        #expect(explanation.json.contains("\"variable\": \"PORT\""))
    }

    @Test("It is a value of its source: later sources override it, and it overrides earlier ones")
    func order() throws {
        let file = Given("file", ["server": ["port": 1]])
        #expect(try store(file, environment(["PORT": "2"])).settings(Plain.self).port == 2)
        #expect(try store(environment(["PORT": "2"]), file).settings(Plain.self).port == 1)
        #expect(
            try store(environment(["PORT": "2"]), environment(["PORT": "3"], prefix: "X")).settings(Plain.self).port
                == 3)
    }

    @Test("A .env file has it, too, and a name with the prefix of the source is not unknown")
    func files() throws {
        #expect(
            try store(DotEnvPropertyLoader(string: "PORT=5\nSERVER__NAME=x", name: ".env")).settings(Plain.self).port
                == 5)
        struct Prefixed: Settings { @Setting(environment: "APP_PORT") var port = 1 }
        let store = PropertyStore()
        store.declare(Prefixed.self, at: "http")
        try store.start([environment(["APP_PORT": "7"])], unknownKeys: .refused)
        #expect(try store.settings(Prefixed.self).port == 7)
    }

    @Test("A wrong value, and a missing one, name it")
    func errors() throws {
        let wrong = #expect(throws: ConfigurationErrors.self) { try store(environment(["PORT": "http"])) }
        #expect(
            wrong?.lines
                == #"environment PORT: 'server.port' is the text "http"; expected an integer from 1 to 65535. "#
                + "Write decimal digits.")
        let missing = PropertyStore()
        missing.declare(Database.self, at: "db")
        let error = #expect(throws: ConfigurationErrors.self) {
            try missing.start([environment([:]), DotEnvPropertyLoader(string: "", name: ".env")])
        }
        #expect(
            error?.lines
                == "'db.url' is missing; expected a string. Set it as DATABASE_URL, as APP_DB_URL, as DATABASE_URL in .env, "
                + "or as DB_URL in .env.")
        let file = PropertyStore()
        file.declare(Database.self, at: "db")
        let other = #expect(throws: ConfigurationErrors.self) { try file.start([Given("file", [:])]) }
        #expect(other?.lines == "'db.url' is missing; expected a string. Set it in file.")
    }

    @Test("It is masked like the setting, and tables in place and those that may be missing have theirs")
    func tables() throws {
        let store = PropertyStore()
        store.declare(Database.self, at: "db")
        try store.start([environment(["DATABASE_URL": "hunter2", "DB_POOL": "9"])])
        #expect(
            store.entries.map(\.description) == [
                #"db.pool = "9" (environment DB_POOL)"#, "db.url = ******** (environment DATABASE_URL)",
            ])
        struct Outer: Settings { var inner: Database.TLS? }
        let optional = PropertyStore()
        optional.declare(Outer.self)
        try optional.start([environment(["DB_CA_FILE": "ca.pem"])])
        #expect(try optional.settings(Outer.self).inner?.caFile == "ca.pem")
    }

    @Test("Where the type is declared, it may be changed or taken away")
    func given() throws {
        let store = PropertyStore()
        store.declare(Plain.self, at: "a")
        store.declare(
            Plain.self, at: "b", environment: ["port": "B_PORT", "hosts": nil, "labels": nil, "name": "B_NAME"])
        try store.start([environment(["PORT": "1", "B_PORT": "2", "HOSTS": "x", "B_NAME": "n"])])
        let (a, b) = (try store.settings(Plain.self, at: "a"), try store.settings(Plain.self, at: "b"))
        #expect((a.port, a.hosts, a.name) == (1, ["x"], "?"))
        #expect((b.port, b.hosts, b.name) == (2, [], "n"))
        // The same setting, declared again by a child, has the same variable.
        let child = PropertyStore(parent: store)
        child.declare(Plain.self, at: "a")
        #expect(try child.settings(Plain.self, at: "a").port == 1)
    }

    @Test("Inside an array or a dictionary it does nothing, and references do not show it")
    func elements() throws {
        struct Outer: Settings {
            var list: [Element] = []
            var table: [String: Element] = [:]
        }
        let store = PropertyStore()
        store.declare(Outer.self)
        try store.start([environment(["ELEMENT_URL": "x", "APP_TABLE__A__URL": "y"])], unknownKeys: .refused)
        #expect(try store.settings(Outer.self).table["a"]?.url == "y")
        #expect(!(store.help() + store.template() + store.jsonSchema()).contains("ELEMENT_URL"))
    }

    @Test("The help, the template and the schema name it")
    func references() throws {
        let store = try store()
        #expect(store.help().contains("Where clients connect. An integer from 1 to 65535."))
        for text in [store.help(columns: 200), store.template(), store.jsonSchema()] {
            #expect(text.contains("Also the variable PORT."), "\(text)")
        }
    }

    @Test("Two settings with one variable end the process, with the declaration that helps")
    func conflict() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(Plain.self, at: "a")
            PropertyStore(parent: store).declare(Plain.self, at: "b")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "'PORT' is the variable of 'a.port' and of 'b.port'. Give one of them another variable, or none: "
                    + "declare(Plain.self, at: \"b\", environment: [\"port\": nil])"))
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Plain.self, environment: ["prot": "X"])
        }
        let message = String(decoding: unknown?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Plain has no setting 'prot' to which 'environment:' could give a variable."))
    }
}
