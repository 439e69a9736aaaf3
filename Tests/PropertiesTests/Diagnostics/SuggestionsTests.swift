import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Suggestions")
struct SuggestionsTests {
    @Test(
        "Names of one or two letters, and parts of them, are similar only if they differ in nothing but case",
        arguments: [("b", "a"), ("", "a"), ("ab", "ac"), ("api.b", "api.a"), ("x", "y1"), ("log.tls", "log.tcp")])
    func short(missing: String, present: String) throws {
        let store = try PropertyStore(Literal([present: 1]))
        let error = #expect(throws: PropertyError.self) { try store.require(missing, as: Int.self) }
        #expect(error?.suggestion == nil)
    }

    @Test(
        "A suggestion corrects the case of a short name, or a typing error in a longer one",
        arguments: [
            ("B", "b"), ("prt", "port"), ("api.prot", "api.port"), ("apj.port", "api.port"), ("Übre", "Über"),
            ("server.hots", "server.host"),
            ("sever.name", "server.name"), ("server.name_of_owner", "server.name.of.owner"),
        ])
    func near(missing: String, present: String) throws {
        let store = try PropertyStore(Literal([present: 1]))
        let error = #expect(throws: PropertyError.self) { try store.require(missing, as: Int.self) }
        #expect(error?.suggestion == present)
    }

    @Test("The parts that two names begin with do not make them similar")
    func commonParts() throws {
        let store = try PropertyStore(Literal(["server": ["host": "h", "tls.certificate": "c"]]))
        for name in ["server.port", "server.tls.private_key", "server.tsl"] {
            let error = #expect(throws: PropertyError.self) { try store.require(name, as: Int.self) }
            #expect(error?.suggestion == nil, "\(name)")
        }
    }

    @Test("An unknown key may be meant to override a key of another source, but not one that its own source has")
    func overriding() throws {
        let text = TypedKey<String>("greeting.text")
        func suggestion(_ loaders: any PropertyLoader...) throws -> String? {
            let store = PropertyStore()
            try store.apply(loaders)
            store.declare(text)
            return #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }?
                .found.first { $0.reason == .unknownKey }?.suggestion
        }
        let file = Lines("config.toml", "greeting.text = \"Hello\"")
        let arguments = CommandLinePropertyLoader(arguments: ["--greting.text=Hi"])
        #expect(try suggestion(file, arguments) == "greeting.text")
        #expect(try suggestion(file, Lines("local.toml", "greting.text = \"Hi\"")) == "greeting.text")
        #expect(try suggestion(Lines("config.toml", "greeting.text = \"Hello\"\ngreting.text = \"Hi\"")) == nil)
    }
}
