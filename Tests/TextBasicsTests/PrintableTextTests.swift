import Foundation
import TestSupport
import TextBasics
import Testing

@Suite("Text that is safe to print")
struct PrintableTextTests {
    @Test("Escaping each text gives the same as escaping each of its scalars, and leaves no control character")
    func escaped() {
        var count = 0
        for value in UInt32(0)...0x2100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = PrintableText.escaped("a\(String(scalar))b")
            #expect(text == "a\(PrintableText.escaped(scalar))b")
            #expect(text.unicodeScalars.allSatisfy { !$0.isControl })
            #expect(scalar.isControl == (text != "a\(String(scalar))b"))
            if scalar.isControl { count += 1 }
        }
        // C0, DEL and C1, two separators, and the twelve controls of direction in this range.
        #expect(count == 65 + 2 + 12)
        #expect(PrintableText.escaped("\u{1B}[31m\n\u{202E}") == #"\u{1b}[31m\n\u{202e}"#)
    }

    @Test("A long text is clipped after 60 scalars, and a quoted one shows no control character")
    func clipped() {
        let sixty = String(repeating: "é", count: 60)
        #expect(PrintableText.clipped(sixty) == sixty)
        #expect(PrintableText.clipped(sixty + "x") == sixty + "…")
        #expect(PrintableText.clipped("e" + String(repeating: "\u{301}", count: 1_000_000)).unicodeScalars.count == 61)
        #expect(PrintableText.quoted("a\u{7}") == "`a\u{FFFD}`")
        #expect(PrintableText.quoted("a`b") == "\"a`b\"")
    }

    @Test("Base64 is that of Foundation")
    func base64() {
        var random = SplitMix(state: 3)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.text(of: bytes) == Data(bytes).base64EncodedString())
        }
    }
}

@Suite("Text compared by bytes")
struct TextBytesTests {
    static let texts = ["", "a", "ab", "é", "e\u{301}", ".", "a.", ".a", "a..b", "a.\u{301}b", "--x", "-\u{301}"]

    @Test("Each comparison is that of the bytes", arguments: texts)
    func comparisons(_ one: String) {
        for other in Self.texts {
            let first = Array(one.utf8), second = Array(other.utf8)
            #expect(one.isSame(as: other) == (first == second))
            #expect(one[...].isSame(as: other[...]) == (first == second))
            #expect(one.begins(with: other) == first.starts(with: second))
            #expect(one.ends(with: other) == first.reversed().starts(with: second.reversed()))
            #expect(one.precedes(other) == first.lexicographicallyPrecedes(second))
        }
        #expect(Self.texts.sorted(byName: \.self).map { Array($0.utf8) }.count == Self.texts.count)
    }

    @Test("A text splits at each separator, even before a combining mark")
    func parts() {
        #expect("a.b..c.".parts(between: ".").map { String($0) } == ["a", "b", "", "c", ""])
        #expect("".parts(between: ".").count == 1)
        #expect("a.\u{301}b".parts(between: ".").map { Array($0.utf8) } == [Array("a".utf8), Array("\u{301}b".utf8)])
    }

    @Test("Up to thirty combining characters in a row compare in linear time")
    func linear() {
        func text(_ count: Int) -> String {
            String(repeating: "a", count: 50) + String(repeating: "\u{301}", count: count)
        }
        #expect(text(30).comparesInLinearTime)
        #expect(!text(31).comparesInLinearTime)
        #expect((text(30) + text(30)).comparesInLinearTime)
    }

    @Test("The classes of ASCII bytes are those of the standard library")
    func classes() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte)), isASCII = byte < 128
            #expect(byte.isDigit == (isASCII && character.isNumber))
            #expect(byte.isLetter == (isASCII && character.isLetter))
            #expect(byte.isWordPart == (isASCII && (character.isLetter || character.isNumber || character == "_")))
            #expect(byte.hexDigit.map(Int.init) == (isASCII ? character.hexDigitValue : nil))
        }
    }
}

@Suite("Lists with a limit")
struct BoundedListTests {
    @Test("A list keeps its first elements, and counts the others")
    func elements() {
        var list = BoundedList<String>(limit: 2)
        #expect(list.text == "")
        var evaluations = 0
        for _ in 0..<5 {
            list.append(
                {
                    evaluations += 1
                    return "n\(evaluations)"
                }())
        }
        list.skip(1000)
        #expect(list.elements == ["n1", "n2"] && list.rest == 1003 && list.isFull && evaluations == 2)
        #expect(list.text == "n1, n2 and 1,003 more")
        #expect(list.map { $0 + "!" }.text == "n1!, n2! and 1,003 more")
        #expect(BoundedList(["a", "b", "c"], limit: 5).text == "a, b and c")
        #expect(BoundedList(["a"], limit: 5).text == "a")
        #expect(BoundedList(["a", "b"], limit: 0).text == "2 more")
    }

    @Test("A number has a comma after every three digits")
    func grouped() {
        let texts = [0, 7, 999, 1000, -1000, 123_456, 1_234_567, Int.min].map(\.grouped)
        #expect(texts == ["0", "7", "999", "1,000", "-1,000", "123,456", "1,234,567", "-9,223,372,036,854,775,808"])
    }
}
