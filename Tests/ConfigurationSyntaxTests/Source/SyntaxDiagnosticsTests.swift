import ConfigurationSyntax
import Foundation
import Testing

/// The files `Messages/FORMAT.txt` have an invalid document in every four lines: what is wrong, the text with the escapes
/// of a raw string, its message, and an empty line. To write the messages anew, run the tests with RECORD_MESSAGES=1 in
/// the environment, and read the differences.
@Suite("SyntaxDiagnostics: messages for invalid documents")
struct SyntaxDiagnosticsTests {
    @Test("An invalid document is an error with the recorded message", arguments: [("toml", 133), ("json", 96)])
    func messages(format: String, count: Int) throws {
        let file = URL(filePath: #filePath).appending(path: "../../Messages/\(format).txt").standardized
        var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let rows = stride(from: 0, to: lines.count - 2, by: 4)
        #expect(rows.underestimatedCount == count)
        for row in rows {
            let text = Self.unescaped(lines[row + 1])
            let error = #expect(throws: SyntaxError.self, "\(lines[row])") {
                if format == "toml" {
                    _ = try TomlDocument(bytes: text.utf8, name: "config.toml")
                } else {
                    _ = try JsonDocument(bytes: text.utf8, name: "config.json")
                }
            }
            if ProcessInfo.processInfo.environment["RECORD_MESSAGES"] != nil {
                lines[row + 2] = error?.description ?? ""
            }
            #expect(error?.description == lines[row + 2], "\(lines[row])")
        }
        if ProcessInfo.processInfo.environment["RECORD_MESSAGES"] != nil {
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
        }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("\\#n", with: "\n").replacing("\\#r", with: "\r").replacing("\\#t", with: "\t")
            .replacing(/\\#u\{(\w+)\}/) { match in
                UInt32(match.1, radix: 16).flatMap { Unicode.Scalar($0) }.map { String($0) } ?? ""
            }
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
