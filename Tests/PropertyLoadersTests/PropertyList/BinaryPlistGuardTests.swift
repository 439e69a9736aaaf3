import PropertyLoaders
import Testing

@Suite("BinaryPlistGuard: messages for invalid property lists")
struct BinaryPlistGuardTests {
    /// Returns a property list of a dictionary with one object as its only value.
    private static func binary(_ value: [UInt8]) -> [UInt8] {
        BinaryPlist(value: value).bytes
    }

    /// Returns a property list of a dictionary with the value `true`, after a change that makes it invalid.
    private static func binary(_ change: (inout BinaryPlist) -> Void) -> [UInt8] {
        var plist = BinaryPlist(value: [0x09])
        change(&plist)
        return plist.bytes
    }

    static let damaged: [(bytes: [UInt8], message: String)] = [
        (Array(binary([0x08]).dropLast(30)), "the header or the size is invalid at byte 6"),
        (Array("bplist".utf8), "the header or the size is invalid at byte 6"),
        (Array("bplist00".utf8), "the header or the size is invalid at byte 6"),
        (binary { $0.header = Array("bplist15".utf8) }, "the header or the size is invalid at byte 6"),
        (binary { $0.offsetSize = 0 }, "the trailer is invalid at byte 14"),
        (binary { $0.offsetSize = 9 }, "the trailer is invalid at byte 41"),
        (binary { $0.referenceSize = 0 }, "the trailer is invalid at byte 20"),
        (binary { $0.referenceSize = 9 }, "the trailer is invalid at byte 20"),
        (binary { $0.count = 0 }, "the trailer is invalid at byte 20"),
        (binary { $0.count = UInt64.max }, "the trailer is invalid at byte 20"),
        (binary { $0.count = 1 << 61 }, "the trailer is invalid at byte 20"),
        (binary { $0.top = 3 }, "a reference is invalid at byte 14"),
        (binary { $0.top = UInt64.max }, "a reference is invalid at byte 14"),
        (binary { $0.table = 8 }, "the trailer is invalid at byte 20"),
        (binary { $0.table = UInt64.max }, "the trailer is invalid at byte 20"),
        (binary { $0.offsets = [2: 7] }, "an offset is invalid at byte 18"),
        (binary { $0.offsets = [2: 500] }, "an offset is invalid at byte 18"),
        (binary { $0.objects[0] = [0xD1, 1, 9] }, "a reference is invalid at byte 14"),
        (binary([0x0F]), "an object is invalid at byte 13"), (binary([0x70]), "an object is invalid at byte 13"),
        (binary([0x15]), "an object is invalid at byte 13"), (binary([0x21, 0, 0]), "an object is invalid at byte 13"),
        (binary([0xDF, 0x10, 0x40]), "the size of an object is invalid at byte 13"),
        (
            binary([0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            "the size of an object is invalid at byte 13"
        ),
        (
            binary([0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            "the size of an object is invalid at byte 13"
        ),
        (binary([0x5F, 0x51, 0x41]), "a count is invalid at byte 13"),
        (binary([0x5F]), "a count is invalid at byte 13"),
        (binary([0x51, 0xE9]), "a string is invalid at byte 13"),
        (binary([0x61, 0xD8, 0]), "a string is invalid at byte 13"),
        // Foundation refuses these, and does not say why.
        (binary([0x13, 1, 2]), "the file is invalid at byte 0"), (binary([0x33, 0]), "the file is invalid at byte 0"),
    ]

    static let unsupported: [(bytes: [UInt8], message: String)] = [
        (binary { $0.objects[0] = [0xD1, 2, 2] }, "a key that is not a string"),
        (binary { $0.objects[0] = [0xD2, 1, 1, 2, 2] }, "a key that equals another key of the dictionary"),
        (
            BinaryPlist([[0xD2, 1, 2, 3, 3], [0x61, 0, 0xE9], [0x62, 0, 0x65, 3, 1], [0x09]]).bytes,
            "a key that equals another key of the dictionary"
        ),
        (binary([0x00]), "a null"), (binary([0x80, 1]), "a UID"), (binary([0xC1, 1]), "a set"),
        (binary([0xB0]), "a set"),
        (binary([0x14] + [UInt8](repeating: 1, count: 16)), "an integer of 16 bytes that is not from 0 to 2^64 - 1"),
        (binary([0x14] + [UInt8](repeating: 255, count: 16)), "an integer of 16 bytes that is not from 0 to 2^64 - 1"),
    ]

    @Test("A damaged property list is an error with the byte offset", arguments: damaged.indices)
    func damagedFile(index: Int) {
        let row = Self.damaged[index]
        #expect(message(row.bytes) == "app.plist: \(row.message). Write the file again: it is damaged or cut off.")
    }

    @Test("A value that a property list cannot have is an error with the byte offset", arguments: unsupported.indices)
    func unsupportedValue(index: Int) throws {
        let row = Self.unsupported[index]
        let text = try #require(message(row.bytes))
        #expect(text.hasPrefix("app.plist: there is \(row.message) at byte 1"), "\(text)")
        #expect(text.hasSuffix(". Leave it out, or write a value that XML property lists have too."), "\(text)")
    }

    @Test("A date outside of the years 0 to 9999 is an error")
    func dates() {
        for high: UInt8 in [0x7F, 0x43, 0xFF] {
            #expect(
                message(Self.binary([0x33, high, 0xF0, 0, 0, 0, 0, 0, 0]))
                    == "app.plist: a date is out of range; expected one in the years 0 to 9999")
        }
    }
}
