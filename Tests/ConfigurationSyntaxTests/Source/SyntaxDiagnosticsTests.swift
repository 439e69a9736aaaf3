import ConfigurationSyntax
import TestSupport
import Testing

@Suite("SyntaxDiagnostics: messages for invalid documents")
struct SyntaxDiagnosticsTests {
    @Test("An invalid document is an error with the recorded message")
    func messages() throws {
        let toml = try RecordedMessages.compare("toml") { text in
            #expect(throws: SyntaxError.self) { try TomlDocument(bytes: text.utf8, name: "config.toml") }?.description
        }
        #expect(toml == (133, []))
        let json = try RecordedMessages.compare("json") { text in
            #expect(throws: SyntaxError.self) { try JsonDocument(bytes: text.utf8, name: "config.json") }?.description
        }
        #expect(json == (97, []))
    }
}

@Suite("Cursor+Excerpt: a message has no control characters")
struct ExcerptTests {
    static let controls = [
        "a b\u{1B}[31m = 1", "a = \"x\" \"\u{1B}y\"", "a = 1 \"\n\"", "a = 1 \"\tb\"", "a = x\u{85}y",
        "a = \"\\\u{7F}\"", "a = \"\\\u{9B}\"", "a = 2026-01-01T\n", "\"a\u{1B}\" = 1",
        "a = 1\r\n\"a\\u001b\" = 1\r\n\"a\\u001b\" = 2",
    ]

    @Test("A message does not contain the control characters of the source", arguments: controls)
    func control(_ text: String) throws {
        let toml = try #require(throws: SyntaxError.self) { try TomlDocument(bytes: text.utf8, name: "a") }
        let json = try #require(throws: SyntaxError.self) { try JsonDocument(bytes: "[\(text)".utf8, name: "a") }
        for error in [toml, json] {
            #expect(error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }
}

@Suite("SyntaxParser: messages for bytes that are not UTF-8")
struct EncodingTests {
    @Test(
        "The message names the encoding or the first invalid byte",
        arguments: [
            ([0xFF, 0xFE, 0x5B, 0x00], "a:1:1: the text is in UTF-16; expected UTF-8. Save the file as UTF-8."),
            ([0xFE, 0xFF, 0x00, 0x5B], "a:1:1: the text is in UTF-16; expected UTF-8. Save the file as UTF-8."),
            ([0x5B, 0x00, 0x5D, 0x00], "a:1:1: the text is in UTF-16; expected UTF-8. Save the file as UTF-8."),
            (
                [0x5B, 0x22, 0xE9, 0x22, 0x5D],
                "a:1:3: the byte 0xE9 is not valid UTF-8; expected text in UTF-8. Save the file as UTF-8."
            ),
            (
                [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D],
                "a:1:3: the byte 0xED is not valid UTF-8; expected text in UTF-8. Save the file as UTF-8."
            ),
            (
                [0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D],
                "a:1:3: the byte 0xC0 is not valid UTF-8; expected text in UTF-8. Save the file as UTF-8."
            ),
        ] as [([UInt8], String)])
    func notUTF8(_ bytes: [UInt8], _ message: String) throws {
        let json = try #require(throws: SyntaxError.self) { try JsonDocument(bytes: bytes, name: "a") }
        #expect(json.description == message)
        let toml = try #require(throws: SyntaxError.self) { try TomlDocument(bytes: bytes, name: "a") }
        #expect(toml.description == message)
    }
}
