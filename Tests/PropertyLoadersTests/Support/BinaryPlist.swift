/// A builder of binary property lists, valid and invalid.
struct BinaryPlist {
    /// The bytes of each object. The first byte of an object is its marker.
    var objects: [[UInt8]]
    var top: UInt64 = 0
    var offsetSize: UInt8 = 2
    var referenceSize: UInt8 = 1
    var header = Array("bplist00".utf8)
    /// The number of objects in the trailer, or nil for the correct number.
    var count: UInt64?
    /// The wrong position of the offset table to write into the trailer, or nil to write the correct one.
    var table: UInt64?
    /// Wrong offsets for the offset table, by the numbers of their objects.
    var offsets: [Int: Int] = [:]

    init(_ objects: [[UInt8]]) { self.objects = objects }

    /// Creates a property list of a dictionary with the key `a` and an object as its value.
    init(value: [UInt8], _ more: [UInt8]...) {
        self.init([[0xD1, 1, 2], Self.ascii("a"), value] + more)
    }

    static func ascii(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

    var bytes: [UInt8] {
        var bytes = header
        var places: [Int] = []
        for object in objects {
            places.append(bytes.count)
            bytes += object
        }
        let start = bytes.count
        for (index, place) in places.enumerated() {
            bytes += Self.bigEndian(UInt64(offsets[index] ?? place), size: Int(offsetSize))
        }
        bytes += [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
        bytes += Self.bigEndian(count ?? UInt64(objects.count), size: 8)
        bytes += Self.bigEndian(top, size: 8)
        bytes += Self.bigEndian(table ?? UInt64(start), size: 8)
        return bytes
    }

    private static func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: $0 > 7 ? 0 : number >> (8 * UInt64($0))) }
    }
}
