/// The object table of a binary property list: every number in it is checked before it is used.
///
///     "bplist00" | objects | table of their offsets | trailer of 32 bytes
struct BinaryObjects {
    private static let header = Array("bplist00".utf8)
    private static let trailerSize = 32

    let bytes: [UInt8]
    /// How many objects there are.
    let count: Int
    /// The object that is the document.
    let top: Int
    /// How many bytes a reference to an object has.
    let referenceSize: Int
    // Where the objects end and the table of their offsets begins.
    private let table: Int
    private let offsetSize: Int

    init(_ bytes: [UInt8]) throws(PlistFault) {
        self.bytes = bytes
        guard bytes.starts(with: Self.header) else {
            let version = bytes.prefix(Self.header.count).map {
                $0 < 0x7F && $0 > 0x1F ? String(UnicodeScalar($0)) : "?"
            }
            guard bytes.count >= Self.header.count else { throw PlistFault(.truncated(bytes.count), at: bytes.count) }
            throw PlistFault(.version(version.joined()), at: 6)
        }
        let trailer = bytes.count - Self.trailerSize
        // The least one: a header, one object of one byte, its offset, the trailer.
        guard trailer >= Self.header.count + 2 else { throw PlistFault(.truncated(bytes.count), at: bytes.count) }
        offsetSize = Int(bytes[trailer + 6])
        guard (1...8).contains(offsetSize) else {
            throw PlistFault(.trailer(.offsetSize(offsetSize)), at: trailer + 6)
        }
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(referenceSize) else {
            throw PlistFault(.trailer(.referenceSize(referenceSize)), at: trailer + 7)
        }
        let numbers = [8, 16, 24].map { Self.number(bytes, at: trailer + $0, size: 8) }
        guard let count = Int(exactly: numbers[0]), count > 0 else {
            throw PlistFault(.trailer(.noObjects), at: trailer + 8)
        }
        // Compared by division, since a product of what the file says may overflow.
        guard let table = Int(exactly: numbers[2]), table > Self.header.count, table <= trailer,
            count <= (trailer - table) / offsetSize, count * offsetSize == trailer - table
        else { throw PlistFault(.trailer(.tableOutside), at: trailer + 24) }
        guard let top = Int(exactly: numbers[1]), top < count else {
            throw PlistFault(.trailer(.topOutside), at: trailer + 16)
        }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// Where an object of the table begins.
    func offset(of object: Int) throws(PlistFault) -> Int {
        let place = table + object * offsetSize
        let offset = Self.number(bytes, at: place, size: offsetSize)
        guard let offset = Int(exactly: offset), offset >= Self.header.count, offset < table else {
            throw PlistFault(.object(.offsetOutside(object: object)), at: place)
        }
        return offset
    }

    /// The reference to an object that stands somewhere.
    func reference(at place: Int) throws(PlistFault) -> Int {
        let number = Self.number(bytes, at: place, size: referenceSize)
        guard let object = Int(exactly: number), object < count else {
            throw PlistFault(.object(.reference(Int(clamping: number), count: count)), at: place)
        }
        return object
    }

    /// The content of an object: its bytes behind the marker and the count.
    ///
    /// - Parameter width: how many bytes one of what it counts has.
    func content(at offset: Int, width: Int) throws(PlistFault) -> (range: Range<Int>, count: Int) {
        var start = offset + 1
        var count = Int(bytes[offset] & 0x0F)
        if count == 0x0F {
            // The count is an integer object of its own.
            guard start < table, bytes[start] & 0xF0 == 0x10, bytes[start] & 0x0F <= 3 else {
                throw PlistFault(.object(.badCount), at: offset)
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            start += 1
            guard size <= table - start else { throw PlistFault(.object(.pastEnd), at: offset) }
            guard let number = Int(exactly: Self.number(bytes, at: start, size: size)) else {
                throw PlistFault(.object(.badCount), at: offset)
            }
            count = number
            start += size
        }
        guard start <= table, count <= (table - start) / width else { throw PlistFault(.object(.pastEnd), at: offset) }
        return (start..<start + count * width, count)
    }

    /// The number behind the marker of an integer, a real or a date.
    func number(at offset: Int, size: Int) throws(PlistFault) -> UInt64 {
        guard size <= table - offset - 1 else { throw PlistFault(.object(.pastEnd), at: offset) }
        return Self.number(bytes, at: offset + 1, size: size)
    }

    // Big-endian. The caller knows that the bytes are there, and that there are 8 at most.
    private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> UInt64 {
        bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
