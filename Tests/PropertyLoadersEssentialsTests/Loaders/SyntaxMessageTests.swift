import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Messages about broken documents")
struct SyntaxMessageTests {
    @Test("The long message shows the line and marks the column")
    func longForm() throws {
        let error = try #require(
            loadError {
                try TomlPropertyLoader(string: "\n\nbase_url = \"https://api.example.com\n", name: "config.toml").load()
            })
        #expect(
            error.longDescription == """
                config.toml:3:12: error: the string that starts here has no end; expected `"` before the end of the line
                    3 | base_url = "https://api.example.com
                      |            ^
                """)
    }

    static let secrets = [
        "a = hunter2xyz", "a hunter2xyz", "a hunter2xyz = 1", "hunter2xyz b = 1", "[a hunter2xyz]", "a = 12hunter2xyz",
        "a = [1 hunter2xyz]", "a = \"x\" hunter2xyz", "a = \"x\" \"hunter2xyz\"", "a = \"\\q hunter2xyz\"",
        "a = \"hunter2xyz", "a = 'hunter2xyz'x", "a = hunter2xyz:b", "a = 2026-01-hunter2xyz", "a = { b hunter2xyz }",
    ]

    @Test("The error about a secret source quotes nothing from it", arguments: secrets)
    func secret(_ text: String) throws {
        let toml = try #require(
            loadError {
                try TomlPropertyLoader(string: text, name: "a").secret().load()
            })
        let json = try #require(
            loadError {
                try JsonPropertyLoader(string: "{\(text)}", name: "a").secret().load()
            })
        for error in [toml, json] { #expect(!error.longDescription.contains("hunter2"), "\(error)") }
    }
}
