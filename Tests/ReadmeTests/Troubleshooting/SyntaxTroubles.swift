import ConfigurationSyntax
import PropertyLoaders

/// A document with a typical mistake, whose message the article shows.
struct SyntaxTrouble: Sendable {
    let document: String
    let load: @Sendable (String) throws -> Void

    static let toml: [SyntaxTrouble] = [
        "host = example.com", "host = \"example.com", "host: \"example.com\"", "port = 080", "debug = True", "[server",
        "[server]\n[server]", "port = 1\nport = 2", "path = \"C:\\data\"", "tags = [\"a\" \"b\"]", "limit = null",
        "point = { x = 1, y }",
    ].map { text in
        SyntaxTrouble(document: text) { _ = try TomlPropertyLoader(string: $0, name: "config.toml").load() }
    }

    static let json: [SyntaxTrouble] = [
        "{\"port\": 80,,}", "{\"port\": 80 \"host\": \"a\"}", "{'port': 80}", "{port: 80}", "{\"port\": 080}",
        "{\"host\": \"a", "{\"debug\": True}", "[1]", "", "{\"port\": 80} }",
    ].map { text in
        SyntaxTrouble(document: text) { _ = try JsonPropertyLoader(string: $0, name: "config.json").load() }
    }

    /// The row of the article's table.
    func row() -> String {
        do {
            try load(document)
            return "| `\(document)` | |"
        } catch {
            let text = document.isEmpty ? "(an empty file)" : "`\(document.replacing("\n", with: " ⏎ "))`"
            return "| \(text) | \("\(error)".replacing("|", with: "\\|")) |"
        }
    }
}

extension Trouble {
    /// The kinds of `SyntaxError`, which the parsers of the module `ConfigurationSyntax` throw.
    static let syntax: [Trouble] = [
        Trouble(
            "syntax", cause: "The text breaks a rule of its grammar. A loader throws it as `PropertyLoadError`.",
            remedy: "Correct the text at this place."
        ) {
            _ = try TomlDocument(bytes: "host = example.com".utf8, name: "config.toml")
            return nil
        },
        Trouble(
            "duplicate",
            cause: "A key or a table is defined twice, which TOML forbids.",
            remedy: "Remove one of the two. The message has the place of the first."
        ) {
            _ = try TomlDocument(bytes: "port = 1\nport = 2".utf8, name: "config.toml")
            return nil
        },
        Trouble(
            "unsupported", cause: "A number is out of the range of the 64-bit types of the format.",
            remedy: "Write a number in the range, or a string."
        ) {
            _ = try TomlDocument(bytes: "port = 9223372036854775808".utf8, name: "config.toml")
            return nil
        },
        Trouble(
            "limit", cause: "The text is larger, or nested deeper, than the `SyntaxLimits`.",
            remedy: "Check that it is the right file, or pass limits of your own."
        ) {
            let limits = SyntaxLimits(depth: 2)
            _ = try JsonDocument(bytes: "[[[]]]".utf8, name: "config.json", limits: limits)
            return nil
        },
    ]
}
