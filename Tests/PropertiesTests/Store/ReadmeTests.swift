import Container
import Properties
import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The README's code blocks about reading, copied verbatim.

extension TypedKey<Int> {
    static var port: Self {
        TypedKey("server.port", default: 8080, expected: "a port from 1 to 65535") { (1...65535).contains($0) }
    }
}
extension TypedKey<String> {
    static var password: Self { TypedKey("db.password", isSecret: true) }
}

struct ServerConfig: Decodable {
    var host: String
    var port: UInt16
    var timeout: Duration
    var tags: [String]?
}

@Suite("The README's chapters on reading")
struct ReadmeTests {
    private func store() throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(
            Literal([
                "api": ["timeout": 30, "url": "https://example.com"], "db": ["password": "x"],
                "server": ["port": 80, "host": "h", "timeout": "5s"],
            ]))
        return store
    }

    @Test("Reading")
    func reading() throws {
        let store = try store()
        let timeout: Int? = store.property("api.timeout")
        let retries = try store.property("api.retries", default: 3)
        let url = try store.require("api.url", as: URL.self)
        #expect((timeout, retries) == (30, 3))
        #expect(url.host == "example.com")
    }

    @Test("Typed keys and binding")
    func typed() throws {
        let store = try store()
        let port = store.property(.port)
        let password = try store.require(.password)
        let config = try store.bind(ServerConfig.self, at: "server")
        #expect(port == 80)
        #expect(password == "x")
        #expect(config.timeout == .seconds(5))
        let wrong = PropertyStore()
        try wrong.apply(
            Lines("config.toml", "\n\n\nserver.port = 99999\nserver.timeout = 30\nserver.host = \"h\""))
        let errors = #expect(throws: PropertyErrors.self) { try wrong.bind(ServerConfig.self, at: "server") }
        #expect(
            errors?.description == """
                config.toml:4:15: 'server.port' is the integer 99999; expected an integer from 0 to 65535. \
                Change the value.
                """)
    }

    @Test("Checks at start, of declared keys and of the keys that registrations read")
    func checks() async throws {
        let store = try PropertyStore(Literal(["server.port": 80, "db.password": "x"]))
        store.declare(.port, .password)
        try store.verify(unknownKeys: .refused)

        let container = Container()
        container.register(String.self) { r in "\(r.property(.port) ?? 0)" }.inObjectScope(.container)
        let errors = await #expect(throws: ConfigurationErrors.self) {
            try await container.start([Literal(["server.port": 80, "old": 1])], unknownKeys: .refused)
        }
        #expect(errors?.problems.map { ($0.error as? PropertyError)?.name } == ["old"])
    }

    @Test("Secrets and origins")
    func secrets() throws {
        let store = try store()
        store.declareSecret("db.password", "tokens")
        #expect(store.explain("db.password").map { "\($0)" } == ["db.password = ******** (literal)"])
        #expect(store.explain("api.timeout").map { "\($0)" } == ["api.timeout = 30 (literal)"])
    }
}
