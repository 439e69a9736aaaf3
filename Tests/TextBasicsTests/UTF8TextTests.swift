import Testing
import TextBasics

@Suite("UTF8Text: checks of the encoding")
struct UTF8TextTests {
    static let alphabet: [UInt8] = [
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0,
        0xF1,
        0xF4, 0xF5, 0xFF,
    ]

    @Test("Bytes are valid if and only if the standard library accepts them", arguments: [0, 3, 8, 30, 33])
    func sequences(prefix: Int) {
        var valid = 0
        for one in Self.alphabet {
            for two in Self.alphabet {
                for three in Self.alphabet {
                    for four in [0x80, 0xBF, 0x41] as [UInt8] {
                        let bytes = [UInt8](repeating: 0x61, count: prefix) + [one, two, three, four]
                        let isValid = String(validating: bytes, as: UTF8.self) != nil
                        #expect((UTF8Text.firstInvalidByte(in: bytes) == nil) == isValid, "\(bytes)")
                        valid += isValid ? 1 : 0
                    }
                }
            }
        }
        #expect(valid == 543)
    }

    @Test(
        "The result is the offset of the first byte of the invalid sequence",
        arguments: [
            ([0x61, 0xE9, 0x62], 1), ([0xC3, 0xB6, 0xC3], 2), ([0x80], 0), ([0xED, 0xA0, 0x80], 0),
            ([0x61, 0xF0, 0x9F, 0x98], 1),
        ] as [([UInt8], Int)])
    func offsets(bytes: [UInt8], offset: Int) {
        #expect(UTF8Text.firstInvalidByte(in: bytes) == offset)
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
