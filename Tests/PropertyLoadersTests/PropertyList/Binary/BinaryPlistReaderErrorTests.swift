import PropertyLoaders
import Testing

@Suite("BinaryPlistReader: messages for invalid property lists")
struct BinaryPlistReaderErrorTests {
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

    static let documents: [(bytes: [UInt8], message: String)] = [
        (
            Array(binary([0x08]).dropLast(30)),
            "app.plist: the binary property list of 22 bytes ends too early at byte 22; expected a header, "
                + "objects and a trailer. Write the file again: it is damaged or cut off."
        ),
        (
            Array("bplist".utf8),
            "app.plist: the binary property list of 6 bytes ends too early at byte 6; expected a header, "
                + "objects and a trailer. Write the file again: it is damaged or cut off."
        ),
        (
            Array("bplist00".utf8),
            "app.plist: the binary property list of 8 bytes ends too early at byte 8; expected a header, "
                + "objects and a trailer. Write the file again: it is damaged or cut off."
        ),
        (
            binary { $0.header = Array("bplist15".utf8) },
            "app.plist: the version is `bplist15` at byte 6; expected `bplist00`. Convert it with `plutil "
                + "-convert xml1`."
        ),
        (
            binary { $0.offsetSize = 0 },
            "app.plist: the offsets have 0 bytes at byte 20; expected 1 to 8. Write the file again: it is "
                + "damaged or cut off."
        ),
        (
            binary { $0.offsetSize = 9 },
            "app.plist: the offsets have 9 bytes at byte 47; expected 1 to 8. Write the file again: it is "
                + "damaged or cut off."
        ),
        (
            binary { $0.referenceSize = 0 },
            "app.plist: the references have 0 bytes at byte 27; expected 1 to 8. Write the file again: it is "
                + "damaged or cut off."
        ),
        (
            binary { $0.count = 0 },
            "app.plist: the number of objects is out of range at byte 28; expected at least one. Write the "
                + "file again: it is damaged or cut off."
        ),
        (
            binary { $0.count = UInt64.max },
            "app.plist: the number of objects is out of range at byte 28; expected at least one. Write the "
                + "file again: it is damaged or cut off."
        ),
        (
            binary { $0.count = 1 << 61 },
            "app.plist: the table of offsets does not fill the space between objects and trailer at byte 44. "
                + "Write the file again: it is damaged or cut off."
        ),
        (
            binary { $0.top = 3 },
            "app.plist: the top object is not in the table at byte 36; expected one of the objects. Write "
                + "the file again: it is damaged or cut off."
        ),
        (
            binary { $0.table = 8 },
            "app.plist: the table of offsets does not fill the space between objects and trailer at byte 44. "
                + "Write the file again: it is damaged or cut off."
        ),
        (
            binary { $0.table = UInt64.max },
            "app.plist: the table of offsets does not fill the space between objects and trailer at byte 44. "
                + "Write the file again: it is damaged or cut off."
        ),
        (
            binary { $0.offsets = [2: 7] },
            "app.plist: the offset of object 2 is outside of the objects at byte 18; expected one before the "
                + "table of offsets. Write the file again: it is damaged or cut off."
        ),
        (
            binary { $0.offsets = [2: 500] },
            "app.plist: the offset of object 2 is outside of the objects at byte 18; expected one before the "
                + "table of offsets. Write the file again: it is damaged or cut off."
        ),
        (
            binary { $0.objects[0] = [0xD1, 1, 9] },
            "app.plist: object 9 is not in the table at byte 10; expected one of 3 objects. Write the file "
                + "again: it is damaged or cut off."
        ),
        (
            binary { $0.objects[0] = [0xD1, 2, 2] },
            "app.plist: a key is not a string at byte 13; expected a string. Give the dictionary string keys."
        ),
        (
            binary { $0.objects[0] = [0xD2, 1, 1, 2, 2] },
            "app.plist: the key `a` is defined twice in a dictionary at byte 13; expected keys that differ. "
                + "Remove one of the two."
        ),
        (
            binary([0x00]),
            "app.plist: there is a null at byte 13; expected a value. Leave the key out: property lists "
                + "have no null."
        ),
        (
            binary([0x0F]),
            "app.plist: no object has the marker 0xf at byte 13; expected the marker of a value. Write the "
                + "file again: it is damaged or cut off."
        ),
        (
            binary([0x70]),
            "app.plist: no object has the marker 0x70 at byte 13; expected the marker of a value. Write the "
                + "file again: it is damaged or cut off."
        ),
        (
            binary([0x80, 1]),
            "app.plist: there is a UID at byte 13; expected a plain property list. A keyed archive is not "
                + "configuration: write the values themselves."
        ),
        (
            binary([0xC1, 1]),
            "app.plist: there is a set at byte 13; expected an array. Write it as an array."
        ),
        (
            binary([0xB0]),
            "app.plist: there is a set at byte 13; expected an array. Write it as an array."
        ),
        (
            binary([0xA1, 0]),
            "app.plist: an array or a dictionary contains itself at byte 8; expected values without a cycle. "
                + "Write the file again: it is damaged or cut off."
        ),
        (
            binary([0xA1, 2]),
            "app.plist: an array or a dictionary contains itself at byte 13; expected values without a "
                + "cycle. Write the file again: it is damaged or cut off."
        ),
        (
            binary([0xDF, 0x10, 0x40]),
            "app.plist: an object reaches past the end of the objects at byte 13; expected its end before "
                + "the table of offsets. Write the file again: it is damaged or cut off."
        ),
        (
            binary([0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            "app.plist: the count of an object is not an integer at byte 13; expected an integer of 1 to 8 "
                + "bytes. Write the file again: it is damaged or cut off."
        ),
        (
            binary([0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            "app.plist: an object reaches past the end of the objects at byte 13; expected its end before "
                + "the table of offsets. Write the file again: it is damaged or cut off."
        ),
        (
            binary([0x5F, 0x51, 0x41]),
            "app.plist: the count of an object is not an integer at byte 13; expected an integer of 1 to 8 "
                + "bytes. Write the file again: it is damaged or cut off."
        ),
        (
            binary([0x51, 0xE9]),
            "app.plist: an ASCII string contains another byte at byte 13; expected bytes below 128. Write "
                + "the file again: it is damaged or cut off."
        ),
        (
            binary([0x61, 0xD8, 0x00]),
            "app.plist: a string is not valid UTF-16 at byte 13; expected surrogates in pairs. Write the "
                + "file again: it is damaged or cut off."
        ),
        (
            binary([0x13, 1, 2]),
            "app.plist: an object reaches past the end of the objects at byte 13; expected its end before "
                + "the table of offsets. Write the file again: it is damaged or cut off."
        ),
        (
            binary([0x15]),
            "app.plist: no object has the marker 0x15 at byte 13; expected the marker of a value. Write the "
                + "file again: it is damaged or cut off."
        ),
        (
            binary([0x14] + [UInt8](repeating: 1, count: 16)),
            "app.plist: an integer is out of range at byte 13; expected one from -2^63 to 2^64 - 1. Write "
                + "it as a string."
        ),
        (
            binary([0x21, 0, 0]),
            "app.plist: no object has the marker 0x21 at byte 13; expected the marker of a value. Write the "
                + "file again: it is damaged or cut off."
        ),
        (
            binary([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]),
            "app.plist: a date is out of range at byte 13; expected one in the years 0 to 9999"
        ),
        (
            binary([0x33, 0x43, 0, 0, 0, 0, 0, 0, 0]),
            "app.plist: a date is out of range at byte 13; expected one in the years 0 to 9999"
        ),
        (
            binary([0x33, 0]),
            "app.plist: an object reaches past the end of the objects at byte 13; expected its end before "
                + "the table of offsets. Write the file again: it is damaged or cut off."
        ),
    ]

    @Test(
        "A message contains the byte offset and the problem, and in most cases what was expected and a remedy",
        arguments: documents.indices)
    func binary(index: Int) {
        let row = Self.documents[index]
        #expect(message(row.bytes) == row.message)
    }

    @Test("No row is missing from the table of documents")
    func count() {
        #expect(Self.documents.count == 39)
    }
}
