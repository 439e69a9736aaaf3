import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The error about a placeholder in a secret quotes no part of the secret")
struct PlaceholderSecretTests {
    /// Texts whose placeholders cannot be replaced. Every secret part contains `hush`.
    static let texts = [
        "pa${hush}word-hush", "hush${hush", "${}hush", "${:-hush}", "${table}hush", "hush${list}", "${hush:hush}",
        "${db.password}hush", "${hush-circle}", "${hushes}", "${file:hush}", "${file:/none/hush}",
        "${file:/dev/null/hush}",
        "${vault:}hush", "${env:hush}", "${vault:hush}", "${broken:hush}", "${other:hush}", "${none:-${hush}}",
        "${none:-${none:-${none:-${none:-${none:-${none:-hush}}}}}}", "${deep1}hush", "${large}hush${large}",
    ]

    private struct Complaint: Error, CustomStringConvertible {
        let description: String
    }

    private static let rules: PropertyPlaceholders = {
        var rules = PropertyPlaceholders(
            lookups: [
                "vault": { _ in .init(nil) }, "broken": { throw Complaint(description: "there is no \($0)") },
                "other": { name in
                    throw PropertyLoadError(
                        .unresolved, "there is no \(name)", at: PropertyOrigin(source: PropertySource(name: name)),
                        expected: "not \(name)", remedy: "Write \(name) in another way",
                        notes: [.init(name, at: .unknown)])
                },
            ], depthLimit: 5, sizeLimit: 1000)
        return rules
    }()

    private static let open: [(String, PropertyValue)] = [
        ("table", ["a": 1]), ("list", [1]), ("hush-circle", "${db.password}"), ("hushed", "h"),
        ("deep1", "${deep2}"), ("deep2", "${deep3}"), ("deep3", "${deep4}"), ("deep4", "${deep5}"),
        ("deep5", "${deep6}"), ("deep6", "end"), ("large", .string(String(repeating: "-", count: 600))),
    ]

    /// Returns stores, each with a source to apply to it that has the text at `db.password`. Each pair makes the text
    /// secret in a different way.
    private static func ways(_ text: String) -> [(store: PropertyStore, source: any PropertyLoader)] {
        let declared = PropertyStore()
        declared.declareSecret("db")
        let value = PropertyValue.string(text)
        return [
            (PropertyStore(), Literal("file", ["db": ["password": value]]).secret()),
            (PropertyStore(), Lines("file.toml", "db.password = \"\(text)\"", isSecret: true)),
            (declared, Literal("file", ["db": ["password": value]])),
            (declared, Literal("file", ["db": ["password": .array([PropertyNode(value)])]])),
        ]
    }

    @Test("No error shows a part of the secret, however the text fails and however it is made secret", arguments: texts)
    func failures(text: String) throws {
        // Applies the secret first, because the error about the first property that fails is thrown.
        for rules in [Self.rules, nil] {
            for (store, source) in Self.ways(text) {
                var others = Literal("others", [:])
                others.table = PropertyTable(Self.open)
                if rules == nil { others.table = PropertyTable(Self.open.filter { !$0.0.hasPrefix("deep") }) }
                let sources: [any PropertyLoader] =
                    if let rules {
                        [source.replacingPlaceholders(rules), others.replacingPlaceholders(rules)]
                    } else {
                        [source.replacingPlaceholders(), others.replacingPlaceholders()]
                    }
                do {
                    try store.apply(sources)
                } catch {
                    let error = try #require(error.problems.first?.error as? PropertyLoadError)
                    #expect(!error.everything.contains("hush"), "\(error.everything)")
                    #expect(error.description.contains("db.password") || error.reason == .limit, "\(error)")
                }
            }
        }
    }

    @Test("Each text fails, apart from the two that exceed a limit")
    func allFail() {
        for text in Self.texts.dropLast(2) {
            let source = Literal("file", ["db": ["password": .string(text)], "list": [1], "table": ["a": 1]])
            var others = Literal("others", [:])
            others.table = PropertyTable(Self.open)
            loadError {
                try PropertyStore(
                    sources: others.replacingPlaceholders(Self.rules), source.replacingPlaceholders(Self.rules))
            }
        }
        #expect(Self.texts.count == 22)
    }

    @Test("The default for an empty secret is secret, but the default for a null is not")
    func emptySecret() throws {
        let rules = PropertyPlaceholders(lookups: ["vault": { _ in .init("", isSecret: true) }])
        let store = PropertyStore()
        store.declareSecret("password", "token")
        let layer = Literal([
            "password": "", "token": nil, "a": "${password:-fallback}", "b": "x${vault:y:-fallback}",
            "c": "${token:-fallback}",
        ])
        try store.apply(layer.replacingPlaceholders(rules))
        #expect(store.property("a") == "fallback")
        #expect(store.property("b") == "xfallback")
        let masked = store.entries.filter(\.isSecret).map(\.name)
        #expect(masked == ["a", "b", "password", "token"])
    }

    @Test("The error about a public text in a file with secrets quotes the text but not its line")
    func openText() {
        let store = PropertyStore()
        store.declareSecret("db")
        let text = "url = \"${hots}\"\nhost = \"h\"\n"
        let error = loadError {
            try store.apply(TomlPropertyLoader(string: text, name: "c.toml").replacingPlaceholders())
        }
        #expect(
            error?.longDescription
                == "c.toml:1:7: error: '${hots}' in 'url' leads to no property. Perhaps ${host} was meant.")
    }
}
