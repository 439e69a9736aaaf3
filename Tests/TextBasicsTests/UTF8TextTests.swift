import Testing
import TextBasics

@Suite("UTF8Text: checks of the encoding")
struct UTF8TextTests {
    @Test(
        "The result is the offset of the first byte of the invalid sequence",
        arguments: [
            ([0x61, 0xE9, 0x62], 1), ([0xC3, 0xB6, 0xC3], 2), ([0x80], 0), ([0xED, 0xA0, 0x80], 0),
            ([0x61, 0xF0, 0x9F, 0x98], 1),
            ([0x61, 0xC3, 0xB6, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80, 0xFF], 10), ([0xC0, 0x80], 0),
            ([0xE0, 0x9F, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
        ] as [([UInt8], Int)])
    func offsets(bytes: [UInt8], offset: Int) {
        #expect(UTF8Text.firstInvalidByte(in: bytes) == offset)
        #expect(UTF8Text.firstInvalidByte(in: Array(bytes[..<offset])) == nil)
    }

    @Test("A byte order mark is skipped, and UTF-16 is recognized with and without one")
    func marks() {
        #expect(UTF8Text.start(of: [0xEF, 0xBB, 0xBF, 0x61]) == 3)
        #expect(UTF8Text.start(of: [0xEF, 0xBB]) == 0)
        for bytes: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF], [0x7B, 0], [0, 0x7B]] {
            #expect(UTF8Text.isUTF16(bytes))
        }
        for bytes: [UInt8] in [[], [0xFF], [0, 0], [0x7B, 0x7D], [0xEF, 0xBB, 0xBF]] {
            #expect(!UTF8Text.isUTF16(bytes))
        }
    }
}
