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

    @Test(
        "Where a name looks like that of a secret, no error shows what follows the name in a placeholder",
        arguments: [
            "${hush:?hunter2}", "${hush:=hunter2}", "${hush=hunter2}", "${HUSH:?hunter2}", "${HUSH-hunter2}",
            "${HUSH:+hunter2}", "${env:HUSH:?hunter2}", "${env:HUSH-hunter2}", "${PW:-hunter2", "${PW:-${hunter2}",
            "${hush-hunter2}", "${hush hunter2}", "${hunter2!}",
        ])
    func unresolved(text: String) {
        for source: any PropertyLoader in [
            TomlPropertyLoader(string: "password = '\(text)'", name: "c.toml"),
            JsonPropertyLoader(string: "{\"api\": {\"secret_key\": [\"\(text)\"]}}", name: "c.json"),
            Literal("c", ["token": .string(text)]),
        ] {
            let store = PropertyStore()
            store.replacePlaceholders(PropertyPlaceholders(lookups: ["env": { _ in .init(nil) }]))
            do { try store.apply(source) } catch {
                let texts = ConfigurationErrors([error]).problems.map { problem in
                    (problem.error as? PropertyLoadError)?.longDescription ?? problem.description
                }
                for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
                // The name, and the place.
                #expect(texts.contains { $0.contains("in 'password'") || !$0.hasPrefix("c.toml") }, "\(texts)")
                continue
            }
            Issue.record("\(source) has no error")
        }
    }

    @Test("The remedy keeps what is not a default, and hides one where a secret may be")
    func remedies() {
        func message(_ text: String) -> String {
            let store = PropertyStore()
            store.replacePlaceholders(PropertyPlaceholders(lookups: ["file": { _ in .init(nil) }]))
            let error = #expect(throws: (any Error).self) {
                try store.apply(TomlPropertyLoader(string: text, name: "c.toml"))
            }
            return error.map { "\($0)" } ?? ""
        }
        #expect(
            message("a = '${file:/a=b}'").hasSuffix(
                "'${file:/a=b}' in 'a' leads nowhere: 'file' has no '/a=b'. Provide it, or write a default: ${file:/a=b:-…}."
            ))
        #expect(
            message("password = '${file:/run/db-pw}'").hasSuffix(
                "'${file:/run/db-pw}' in 'password' leads nowhere: 'file' has no '/run/db-pw'. Provide it, or write a "
                    + "default: ${file:/run/db-pw:-…}."))
        #expect(message("a = '${file:/what?}'").hasSuffix("Provide it, or write a default: ${file:/what?:-…}."))
        #expect(message("a = '${file:/a:b}'").hasSuffix("Perhaps ${file:/a:-b} was meant."))
        #expect(message("a = '${x:=y}'").hasSuffix("'${x:=y}' in 'a' leads to no property. Perhaps ${x:-y} was meant."))
        #expect(message("a = '${x:?y}'").hasSuffix("Set the property, or write a default: ${x:-…}."))
        #expect(
            message("password = '${x:=y}'").hasSuffix(
                "'${x…}' in 'password' leads to no property. Perhaps ${x:-…} was meant."))
        #expect(
            message("password = '${x}'").hasSuffix(
                "'${x}' in 'password' leads to no property. "
                    + "Set the property, or write a default: ${x:-…}."))
    }
}
