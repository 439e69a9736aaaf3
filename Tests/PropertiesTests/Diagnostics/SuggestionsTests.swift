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

    @Test("The bounded edit distance agrees with the full dynamic-programming table")
    func distance() {
        var random = SplitMix(state: 7)
        var near = 0
        for _ in 0..<3000 {
            let (one, other) = (word(&random), word(&random))
            let limit = Int.random(in: 0...4, using: &random)
            let plain = distance(one, other)
            #expect(Suggestions.distance(one, other, within: limit) == (plain <= limit ? plain : nil))
            near += plain <= limit ? 1 : 0
        }
        #expect(near > 300)
    }

    private func word(_ random: inout SplitMix) -> [UInt8] {
        (0..<Int.random(in: 0...7, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
    }

    private func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                guard i > 0, j > 0 else {
                    table[i][j] = i + j
                    continue
                }
                let change = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, change)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
                }
            }
        }
        return table[a.count][b.count]
    }
}
