import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("An environment without a prefix, whose variables may be those of other programs")
struct SharedEnvironmentTests {
    private struct Server: Settings {
        struct TLS: Settings { @Setting var keyFile = "k" }
        @Setting var port = 8080
        @Setting var hostName = "h"
        @Setting var tls: TLS?
        @Setting var labels: [String: String] = [:]
        @Setting var pools: [String: TLS] = [:]
    }

    private func environment(_ variables: [String: String]) -> EnvironmentPropertyLoader {
        EnvironmentPropertyLoader(prefix: "", environment: variables)
    }

    private static let declared: [(variable: String, value: String?)] = [
        ("SERVER_PORT", "server.port"), ("SERVER__PORT", "server.port"), ("server.port", "server.port"),
        ("SERVER_HOST_NAME", "server.hostName"), ("SERVER_HOSTNAME", "server.hostName"),
        ("SERVER_TLS_KEY_FILE", "server.tls.keyFile"), ("SERVER__LABELS__TEAM", "server.labels.team"),
        ("SERVER__POOLS__MAIN_DB__KEY_FILE", "server.pools.main_db.keyFile"),
        // A dot of the name is at no separator, a dot of the variable at no dot of the name, or the name is only a table.
        ("SERVERPORT", nil), ("SERVER_PO_RT", "server.port"), ("SERVER__HOST__NAME", nil), ("SERVER", nil),
        ("SERVER_LABELS_TEAM", nil), ("SERVER__TLS__OTHER", nil), ("PATH", nil), ("SERVER__PORT__X", nil),
    ]

    @Test("Only known names are loaded, and each dot of a name is at a separator", arguments: declared.indices)
    func known(index: Int) throws {
        let (variable, name) = Self.declared[index]
        #expect(Self.declared.count == 16)
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        try store.apply(environment([variable: "7"]))
        #expect(store.entries.map(\.name) == [name].compactMap(\.self))
    }

    @Test("The name of a host is not the host of a name")
    func hostName() throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("host.name", default: "own"))
        try store.start([environment(["HOSTNAME": "3f2a", "HOST": "x"])])
        #expect(store.entries.isEmpty)
        try store.apply(environment(["HOST_NAME": "web"]))
        #expect(store.property("host.name") == "web")
    }

    @Test("A name that only a source has is known, but not that of a table")
    func inFile() throws {
        for isLast in [false, true] {
            let file = Literal("a", ["user.name": "service", "a.b.c": 1, "port": 1]), store = PropertyStore.quiet
            let variables = environment(["USER": "root", "A__B": "x", "A__B__C": "2", "PORT": "3", "OTHER": "4"])
            try store.apply(isLast ? [file, variables] : [variables, file])
            #expect(store.property("user.name") == "service")
            #expect((store.property("a.b.c"), store.property("port")) == (isLast ? 2 : 1, isLast ? 3 : 1))
            #expect(store.property("other") == String?.none)
            let warning =
                "environment PORT: this overrides 'port' (a), which nothing declares. Declare it or rename it, or "
                + "give the environment a prefix."
            #expect(store.warnings.map { "\($0)" } == (isLast ? [warning] : []))
        }
    }

    @Test("Two variables of other programs, one inside the other, stop nothing")
    func insideEachOther() throws {
        let store = PropertyStore()
        try store.apply([
            Literal("a", ["foo.bar": 1]), environment(["FOO": "x", "FOO__BAR": "2", "BAR__A": "1", "BAR": "2"]),
        ])
        #expect(store.listing == [#"foo.bar="2""#])
        let declared = PropertyStore()
        declared.declare(TypedKey<String>("foo"))
        try declared.start([environment(["FOO": "x", "FOO__BAR": "1"])])
        #expect(declared.listing == [#"foo="x""#])
    }

    @Test("A variable with the name of a declared value is loaded, also if another source has a table there")
    func declaredValue() throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("foo"))
        try store.apply([Literal("a", ["foo.bar": 1]), environment(["FOO": "x"])])
        #expect(store.property("foo") == "x")
    }

    @Test("A declaration that follows loads a variable")
    func declaredLater() throws {
        let store = PropertyStore()
        try store.apply(environment(["FOO": "x"]))
        #expect(store.entries.isEmpty)
        store.declare(TypedKey<String>("foo"))
        #expect(store.property("foo") == "x")
    }

    @Test("A wrong value says that the variable may be another program's, and advises a prefix")
    func wrongValue() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("redis.port"), TypedKey<Int>("size", default: 1))
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.start([environment(["REDIS_PORT": "tcp://10.0.0.11:6379", "SIZE": "big"])])
        }
        let advice =
            "If the variable is another program's, as REDIS_PORT=tcp://… of Kubernetes, load only the variables of this "
            + "one, by a prefix."
        #expect(errors?.found.count == 2)
        for problem in errors?.found ?? [] { #expect(problem.description.hasSuffix(advice), "\(problem)") }
        // A report has it once.
        #expect(errors?.description.ranges(of: advice).count == 1, "\(String(describing: errors))")
        #expect(errors?.description.hasSuffix("\n" + advice) == true)
        let prefixed = #expect(throws: ConfigurationErrors.self) {
            try store.start([EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_REDIS_PORT": "x"])])
        }
        #expect(prefixed?.description.contains("Kubernetes") == false)
    }

    @Test("Two variables with one known name are a mistake if their values differ")
    func twice() throws {
        let message = """
            environment HTTP_PROXY: 'http_proxy' is set twice (the other is environment http_proxy). Leave one of them \
            out.
            """
        let declared = PropertyStore()
        declared.declare(TypedKey<String>("http_proxy"))
        let different = environment(["http_proxy": "a", "HTTP_PROXY": "b"])
        let error = #expect(throws: ConfigurationErrors.self) { try declared.apply(different) }
        #expect(error?.description == message)
        try declared.apply(environment(["http_proxy": "a", "HTTP_PROXY": "a", "Http_Proxy": "a"]))
        #expect(declared.listing == [#"http_proxy="a""#])
        // A declaration that follows cannot be refused, so it makes a warning.
        let late = PropertyStore()
        try late.apply(different)
        late.declare(TypedKey<String>("http_proxy"))
        #expect(late.warnings.map(\.description) == [message])
    }

    @Test("An undeclared setting is not advised to be set by a variable")
    func advice() throws {
        let store = PropertyStore()
        try store.apply(environment([:]))
        let error = #expect(throws: PropertyError.self) { try store.require("api.url", as: String.self) }
        #expect(error?.description == "'api.url' is missing; expected a string. Set it in a source.")
        store.declare(TypedKey<String>("api.url"))
        let declared = #expect(throws: PropertyError.self) { try store.require("api.url", as: String.self) }
        #expect(declared?.description == "'api.url' is missing; expected a string. Set it as API_URL.")
    }

    @Test("A secret variable that is loaded is masked")
    func secret() throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("db.password", isSecret: true))
        try store.apply(environment(["DB_PASSWORD": "hunter2"]))
        #expect(store.listing == ["db.password=********"])
    }
}
