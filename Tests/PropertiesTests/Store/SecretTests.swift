import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Secrets are masked wherever a value can appear")
struct SecretTests {
    static let secret = "hunter2xyz"

    struct Database: Decodable {
        struct Complaint: Error { var text: String }
        var password: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            password = try container.decode(String.self, forKey: .password)
            throw DecodingError.dataCorruptedError(
                forKey: .password, in: container, debugDescription: "\(password) is too short")
        }
        enum Keys: String, CodingKey { case password }
    }

    enum Level: String, CaseIterable { case hunter2xyy, other }

    /// Stores that contain the secret, and mark it as secret in different ways.
    static let stores: [(String, @Sendable () throws -> PropertyStore)] = [
        (
            "a secret source",
            {
                let store = try PropertyStore(Literal("base", ["db": ["host": "h"], "other": 1]))
                try store.apply(Lines("secret.toml", text, isSecret: true))
                try store.apply(Lines("secret.toml", text, isSecret: true))
                return store
            }
        ),
        (
            "declared names",
            {
                let store = try PropertyStore(Literal("base", ["db": ["host": "h"], "other": 1]))
                try store.apply(Lines("open.toml", text))
                let child = PropertyStore(parent: store)
                child.declareSecret("db.password", "tokens", "number")
                child.declare(TypedKey<String>("level", isSecret: true), TypedKey<String>("list", isSecret: true))
                try child.apply(Literal("later", ["db": ["user": "u"]]))
                return child
            }
        ),
    ]

    static let text = """
        db.password = "hunter2xyz"
        tokens.a = "hunter2xyz"
        list = ["hunter2xyz", 1]
        level = "hunter2xyz"
        number = ~hunter2xyz
        """

    @Test("No text that the package produces contains a secret", arguments: 0..<2)
    func everywhere(number: Int) throws {
        let store = try Self.stores[number].1()
        var outputs: [(String, Any)] = [
            ("entries", store.entries), ("store", store), ("explain", store.history(of: "db.password")),
            ("history", store.history(of: "level")), ("json", try store.json() ?? ""),
            ("table", try store.json(at: "tokens") ?? ""),
            ("root", store.root), ("node", store.property("list") as PropertyNode? as Any),
        ]
        func fails<T>(_ name: String, _ type: T.Type) {
            do throws(PropertyError) {
                _ = try store.require(name, as: type)
                Issue.record("'\(name)' was read")
            } catch {
                outputs.append((name, error))
            }
        }
        fails("db.password", Int.self)
        fails("db", [String: Int].self)
        fails("db", Database.self)
        fails("tokens", [String: Int].self)
        fails("list", [String].self)
        fails("list", [Int].self)
        fails("list", Bool.self)
        fails("level", Level.self)
        fails("level", Duration.self)
        fails("number", Int.self)
        let bound = #expect(throws: ConfigurationErrors.self) { try store.bind(Database.self, at: "db") }
        outputs.append(("bind", bound as Any))
        for (name, output) in outputs {
            var dumped = ""
            dump(output, to: &dumped)
            for text in ["\(output)", String(reflecting: output), dumped] {
                #expect(!text.contains("hunter2xyz"), "\(name)")
                #expect(!text.isEmpty)
            }
        }
        #expect(store.property("db.password") == "hunter2xyz")
        #expect(store.entries.filter(\.isSecret).map(\.name) == ["db.password", "level", "list", "number", "tokens.a"])
    }
}
