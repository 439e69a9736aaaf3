import Foundation
import ConfigurationSyntax
import Testing

@Suite("SyntaxLimits: hostile text results in values or an error, never in a crash")
struct SyntaxLimitsTests {
    private func read(_ bytes: [UInt8]) {
        // The description of an error must work for any bytes.
        do { _ = try TomlDocument(bytes: bytes, name: "a").root.notation } catch { _ = "\(error)" }
        do { _ = try JsonDocument(bytes: bytes, name: "a").root.notation } catch { _ = "\(error)" }
    }

    @Test(
        "Parsing a long run of opening brackets, dots or quotes does not crash",
        arguments: ["[", "{\"a\":", "a=[", "a={b=", "[[a.", "a.", "/*", "\"", "'''"])
    func openings(_ opening: String) {
        for count in [1, 127, 128, 129, 513, 100_000] { read(Array(String(repeating: opening, count: count).utf8)) }
    }

    @Test("A document of the maximum depth is valid, and one level more is an error", arguments: [1, 2, 128, 512])
    func depth(_ limit: Int) throws {
        let limits = SyntaxLimits(depth: limit)
        let names = Array(repeating: "a", count: limit)
        let good = [
            "a = \(brackets(limit))", "[\(names.joined(separator: "."))]",
            "\((names + ["b"]).joined(separator: ".")) = 1",
        ]
        for text in good { _ = try TomlDocument(bytes: text.utf8, name: "a", limits: limits).root.notation }
        _ = try JsonDocument(bytes: brackets(limit).utf8, name: "a", limits: limits).root.notation
        let bad = [
            "a = \(brackets(limit + 1))", "[\((names + ["b"]).joined(separator: "."))]",
            "[[\(names.joined(separator: "."))]]",
            "\((names + ["b", "c"]).joined(separator: ".")) = 1",
        ]
        for text in bad {
            let error = try #require(throws: SyntaxError.self) {
                try TomlDocument(bytes: text.utf8, name: "a", limits: limits)
            }
            #expect(error.reason == .limit)
        }
        let error = try #require(throws: SyntaxError.self) {
            try JsonDocument(bytes: brackets(limit + 1).utf8, name: "a", limits: limits)
        }
        #expect(error.reason == .limit)
    }

    @Test("A limit that is out of range is clamped")
    func limits() {
        #expect(SyntaxLimits(depth: 100_000).depth == 512)
        #expect(SyntaxLimits(depth: 0).depth == 1)
        #expect(SyntaxLimits(bytes: -1).bytes == 0)
        #expect(SyntaxLimits(bytes: .max).bytes == 1 << 30)
        #expect(SyntaxLimits() == SyntaxLimits(depth: 128, bytes: 67_108_864))
    }
}
