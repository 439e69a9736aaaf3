import TestSupport
import TextBasics
import Testing

@Suite("Lines and columns of a text")
struct SourceTextTests {
    /// Counts lines and columns from the start of a text.
    private static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let start = UTF8Text.start(of: bytes)
        var line = 1, column = 1
        for (index, byte) in bytes.prefix(min(max(offset, 0), bytes.count)).enumerated() where index >= start {
            if byte == .newline {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }

    @Test("They are those that counting from the start gives, for each offset of random texts")
    func random() {
        var random = SplitMix(state: 5)
        let pieces = ["a", "é", "\n", "\r\n", "\t", "\u{1F600}", "line of text ", "\n\n"]
        var count = 0
        for length in [0, 1, 20, 500, 3000] {
            for mark in ["", "\u{FEFF}"] {
                let text = mark + (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
                let bytes = Array(text.utf8), source = SourceText(bytes: bytes)
                #expect(source.count == bytes.count)
                let offsets =
                    bytes.count < 2000
                    ? Array(-1...(bytes.count + 1))
                    : (0..<500).map { _ in
                        Int.random(in: 0...bytes.count, using: &random)
                    }
                for offset in offsets {
                    let isSame = source.lineAndColumn(at: offset) == Self.place(of: offset, in: bytes)
                    #expect(isSame, "offset \(offset) of \(bytes.count) bytes")
                    count += 1
                }
            }
        }
        #expect(count > 2000)
    }

    @Test("A part of a line has at most its width, and ends before the line ending")
    func parts() {
        let source = SourceText(bytes: Array("\u{FEFF}first\r\nsécond line\nthird".utf8))
        func text(_ source: SourceText, around offset: Int, before: Int, width: Int) -> String {
            let excerpt = source.excerpt(around: offset, before: before, width: width)
            return excerpt.before + excerpt.after
        }
        #expect(text(source, around: 4, before: 10, width: 80) == "first")
        #expect(text(source, around: 12, before: 10, width: 80) == "sécond line")
        #expect(text(source, around: 13, before: 1, width: 4) == "écon")
        #expect(text(source, around: 99, before: 10, width: 80) == "third")
        #expect(text(SourceText(bytes: []), around: 0, before: 10, width: 80) == "")
    }

    @Test("A part of invalid text is no longer than one of valid text")
    func invalidParts() {
        let source = SourceText(bytes: Array(repeating: 0x80, count: 100_000))
        let excerpt = source.excerpt(around: 50_000, before: 50, width: 100)
        #expect((excerpt.before.unicodeScalars.count, excerpt.after.unicodeScalars.count) == (197, 403))
    }

    @Test("A description shows nothing of a text")
    func description() {
        let source = SourceText(bytes: Array("hunter2".utf8))
        var dumped = ""
        dump(source, to: &dumped)
        #expect("\(source) \(String(reflecting: source)) \(dumped)".contains("hunter") == false)
        #expect("\(source)" == "7 bytes")
    }
}

@Suite("The encoding of a text")
struct UTF8TextTests {
    static let errors: [(bytes: [UInt8], offset: Int?, problem: String?)] = [
        (Array("é\u{1F600}".utf8), nil, nil), ([], nil, nil), ([0xEF, 0xBB, 0xBF, 0x61], nil, nil),
        ([0x61, 0xFF, 0x62], 1, "the byte 0xFF is not valid UTF-8"),
        ([0x61, 0x62, 0xC3], 2, "the byte 0xC3 is not valid UTF-8"),
        ([0xED, 0xA0, 0x80], 0, "the byte 0xED is not valid UTF-8"), ([0xFF, 0xFE, 0x61], 0, "the text is in UTF-16"),
        ([0x61, 0x00], 0, "the text is in UTF-16"), ([0x00, 0x00], nil, nil),
    ]

    @Test("The first byte that is not UTF-8 has its offset, and UTF-16 is recognized", arguments: errors)
    func check(_ row: (bytes: [UInt8], offset: Int?, problem: String?)) {
        var error: Diagnostic?
        do throws(Diagnostic) { try UTF8Text.check(row.bytes) } catch let thrown { error = thrown }
        #expect(error?.offset == row.offset)
        #expect(error?.problem.text == row.problem)
    }

    @Test("Each line end becomes one line feed")
    func lineFeeds() {
        let text = String(decoding: UTF8Text.withLineFeeds(Array("a\r\nb\rc\n\r\r\n".utf8)), as: UTF8.self)
        #expect(text == "a\nb\nc\n\n\n")
    }
}

@Test(
    "A line of broken text with a misspelt name of a secret may show a secret",
    arguments: [
        "pasword = Xk9fQz", "passwrd = Xk9fQz", "passwort = \"abc\" Xk9fQz", "tken = 9fQzXk", "secrt: Xk9fQz",
        "\"credentails\": Xk9fQz", "KENNWORT=Xk9fQz", "[db.pasword]\nx = Xk9fQz", "dbPasword = Xk9fQz",
        "dbpasword = Xk9fQz", "api_kye = Xk9fQz",
    ])
func misspeltNameOfSecret(text: String) {
    let bytes = Array(text.utf8)
    #expect(SourceText(bytes: bytes).mayShowSecret(at: bytes.count - 1))
}

@Test(
    "A line of broken text with an ordinary name shows its text",
    arguments: [
        "port = x", "host: x", "path = x", "passes = x", "timeout = x", "network = x", "section = x",
        "keyword = x",
    ])
func ordinaryName(text: String) {
    #expect(!SourceText(bytes: Array(text.utf8)).mayShowSecret(at: text.utf8.count - 1))
}
