import Foundation
import ConfigurationSyntax
import Testing

@Suite("SyntaxLimits: hostile text results in values or an error, never in a crash")
struct SyntaxLimitsTests {
    static let tomlSample = """
        # é
        title = "a\\t\\u00e9" # b
        [server.'x y']
        ports = [ 8_000, 0xFF, -1.5e3, inf, { a.b = 1, }, ]
        at = 2026-11-21T06:30:00.25+01:00
        day = 2026-11-21
        time = 06:30
        text = \"\"\"
        one \\
          two ""\"\"\"
        raw = '''
        x'''
        [[item]]
        on = true
        [item.more]
        [[item]]
        """

    static let jsonSample = """
        // é
        { "a\\n\\ud83d\\ude00": [1, -2.5e-3, 18446744073709551616, true, null, {}, []], /* b */
          "b": {"c": "größe", "c": "x"}, "d": false }
        """

    private func read(_ bytes: [UInt8]) {
        _ = try? TomlDocument(bytes: bytes, name: "a").root.notation
        _ = try? JsonDocument(bytes: bytes, name: "a", allowsTrailingCommas: true).root.notation
        // The description of an error must work for any bytes.
        do { _ = try TomlDocument(bytes: bytes, name: "a") } catch { _ = "\(error)" }
        do { _ = try JsonDocument(bytes: bytes, name: "a") } catch { _ = "\(error)" }
    }

    @Test("The samples are valid")
    func samples() throws {
        _ = try toml(Self.tomlSample)
        _ = try json(Self.jsonSample)
    }

    @Test("Parsing any prefix of a document ends with values or an error", arguments: [tomlSample, jsonSample])
    func prefixes(_ sample: String) {
        let bytes = Array(sample.utf8)
        for end in 0...bytes.count { read(Array(bytes[..<end])) }
    }

    @Test(
        "Parsing a document with one byte removed, added or changed ends with values or an error",
        arguments: [tomlSample, jsonSample])
    func oneByte(_ sample: String) {
        let bytes = Array(sample.utf8)
        for place in bytes.indices {
            var less = bytes
            less.remove(at: place)
            read(less)
            for other in [0, 0x0A, 0x22, 0x5C, 0x5B, 0x7D, 0x80, 0xFF, 0x2C, 0x2E] as [UInt8] {
                var changed = bytes
                changed[place] = other
                read(changed)
                changed.insert(bytes[place], at: place)
                read(changed)
            }
        }
    }

    @Test("Parsing a document with random changes ends with values or an error", arguments: 0..<20)
    func mutations(_ seed: Int) {
        var dice = Dice(seed)
        let samples = [Array(Self.tomlSample.utf8), Array(Self.jsonSample.utf8)]
        let alphabet = Array("\"'\\[]{}=:,.#/*-+_eE0x9nit \t\r\nu\u{0}\u{7F}é".utf8)
        for _ in 0..<200 {
            var bytes = samples[dice.roll(2)]
            for _ in 0...dice.roll(6) {
                let place = dice.roll(bytes.count)
                switch dice.roll(3) {
                case 0: bytes[place] = alphabet[dice.roll(alphabet.count)]
                case 1: bytes.insert(alphabet[dice.roll(alphabet.count)], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count - 1, place + dice.roll(4)))
                }
            }
            read(bytes)
        }
    }

    @Test("Parsing random characters that the grammars use ends with values or an error", arguments: 0..<20)
    func noise(_ seed: Int) {
        var dice = Dice(seed + 1000)
        let alphabet = Array("\"'\\[]{}=:,.#/*-+_eE0x9truefalsnil \n".utf8)
        for length in 0..<120 { read((0..<length).map { _ in alphabet[dice.roll(alphabet.count)] }) }
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

    @Test("A long line, a large table and many tables are parsed")
    func large() throws {
        let count = 100_000
        let line = "a = [" + (0..<count).map { "\($0)" }.joined(separator: ", ") + "]"
        #expect(try TomlDocument(bytes: line.utf8, name: "a")["a"]?.elements?.count == count)
        let keys = (0..<count).map { "k\($0) = 1\n" }.joined()
        #expect(try TomlDocument(bytes: keys.utf8, name: "a").root.members?.count == count)
        let tables = (0..<count).map { "[t\($0)]\n" }.joined()
        #expect(try TomlDocument(bytes: tables.utf8, name: "a").root.members?.count == count)
        let object = "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try JsonDocument(bytes: object.utf8, name: "a").root.members?.count == count)
        let twice = "{" + (0..<count).map { _ in "\"k\":1" }.joined(separator: ",") + "}"
        #expect(try JsonDocument(bytes: twice.utf8, name: "a").root.members?.count == 1)
    }
}
