import TestSupport
import TextBasics
import Testing

@Suite("Valid UTF-8")
struct ValidUTF8Tests {
    /// The offset of the first invalid sequence as the standard library finds it.
    private static func standard(_ bytes: [UInt8]) -> Int? {
        var (parser, iterator, offset) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }

    private static func ours(_ bytes: [UInt8]) -> Int? {
        do throws(Diagnostic) {
            try UTF8Text.check(bytes)
            return nil
        } catch {
            return error.offset
        }
    }

    @Test("It is what the standard library says, for each first byte, and the bounds of the others")
    func sequences() {
        let bounds: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF4, 0xFF,
        ]
        var count = 0
        var wrong: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            for second in bounds {
                for third in bounds {
                    let start: [UInt8] = [0x61, 0x62, first, second, third]
                    for bytes in [start, start + [0x80], start + [0xC3, 0xA9]] {
                        if Self.ours(bytes) != Self.standard(bytes) { wrong.append(bytes) }
                        count += 1
                    }
                }
            }
        }
        #expect(wrong.isEmpty)
        #expect(count == 256 * bounds.count * bounds.count * 3)
    }

    @Test("It is what the standard library says, for random texts with one changed byte, cut anywhere")
    func random() {
        var random = SplitMix(state: 6)
        let pieces = ["a", "eight by", "é", "€", "\u{1F600}", "\u{10FFFF}", "sixteen byteslong"]
        var invalid = 0
        var wrong: [[UInt8]] = []
        for _ in 0..<5000 {
            let text =
                "ab"
                + (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined()
            var bytes = Array(text.utf8)
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...2, using: &random)) }
            if Bool.random(using: &random), bytes.count > 2 {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let expected = Self.standard(bytes)
            if Self.ours(bytes) != expected { wrong.append(bytes) }
            if expected != nil { invalid += 1 }
        }
        #expect(wrong.isEmpty)
        #expect(invalid > 500)
    }
}
