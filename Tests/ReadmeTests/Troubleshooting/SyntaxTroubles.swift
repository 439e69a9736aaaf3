import PropertyLoaders

/// A document with a typical mistake, whose message the article shows.
struct SyntaxTrouble: Sendable {
    let document: String
    let load: @Sendable (String) throws -> Void

    static let toml: [SyntaxTrouble] = [
        "host = example.com", "host: \"example.com\"", "port = 080", "debug = True", "[server", "[server]\n[server]",
        "path = \"C:\\data\"", "tags = [\"a\" \"b\"]", "limit = null", "point = { x = 1, y }",
    ].map { text in
        SyntaxTrouble(document: text) { _ = try TomlPropertyLoader(string: $0, name: "config.toml").load() }
    }

    static let json: [SyntaxTrouble] = [
        "{\"port\": 80,,}", "{\"port\": 80 \"host\": \"a\"}", "{'port': 80}", "{port: 80}", "",
        "{\"port\": 80} }",
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
