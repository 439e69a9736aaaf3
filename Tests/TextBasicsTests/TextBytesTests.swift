import Testing
import TextBasics

@Suite("Text is compared by its bytes")
struct TextBytesTests {
    @Test("Two strings are the same if all their bytes are equal, wherever a different byte is")
    func isSame() {
        var different = 0
        for count in 0...40 {
            let bytes = Array(repeating: UInt8(ascii: "a"), count: count)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.isSame(as: String(decoding: bytes, as: UTF8.self)))
            #expect(!text.isSame(as: text + "a"))
            for index in bytes.indices {
                var other = bytes
                other[index] = UInt8(ascii: "b")
                #expect(!text.isSame(as: String(decoding: other, as: UTF8.self)))
                different += 1
            }
        }
        #expect(different == 820)
    }

    @Test("Strings that are equal only after Unicode normalisation are not the same")
    func normalisation() {
        // The sign for ångström, and an A with a ring. Both have three bytes.
        let (sign, letter) = ("\u{212B}", "A\u{30A}")
        #expect(sign == letter)
        #expect(!sign.isSame(as: letter))
        #expect(sign.isSame(as: "\u{212B}"))
    }

    @Test("A string and a part of another one can be the same")
    func parts() {
        let text = "server.port"
        #expect("port".isSame(as: text.suffix(4)))
        #expect(!"host".isSame(as: text.suffix(4)))
    }
}
