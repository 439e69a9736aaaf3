/// The object table of a binary property list. Every number in it is validated before it is used.
///
///     "bplist00" | objects | table of their offsets | trailer of 32 bytes
struct BinaryObjects {
    private static let header = Array("bplist00".utf8)
    private static let trailerSize = 32

    let bytes: [UInt8]
    /// The number of objects.
    let count: Int
    /// The number of the top object.
    let top: Int
    /// The size of a reference to an object in bytes.
    let referenceSize: Int
    // The offset at which the objects end and the table of their offsets starts.
    private let table: Int
    private let offsetSize: Int

    init(_ bytes: [UInt8]) throws(Diagnostic) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerSize
        guard bytes.count < Self.header.count || bytes.starts(with: Self.header) else {
            let version = bytes.prefix(Self.header.count).map { 0x20..<0x7F ~= $0 ? String(UnicodeScalar($0)) : "?" }
            throw Diagnostic(
                "the version is \(PrintableText.quoted(version.joined()))", at: 6, expected: "`bplist00`",
                remedy: "Convert it with `plutil -convert xml1`")
        }
        // The smallest file has a header, one object of one byte, its offset, and the trailer.
        guard trailer >= Self.header.count + 2 else {
            throw .damaged(
                "the binary property list of \(bytes.count) bytes ends too early", at: bytes.count,
                expected: "a header, objects and a trailer")
        }
        offsetSize = Int(bytes[trailer + 6])
        guard (1...8).contains(offsetSize) else {
            throw .damaged("the offsets have \(offsetSize) bytes", at: trailer + 6, expected: "1 to 8")
        }
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(referenceSize) else {
            throw .damaged("the references have \(referenceSize) bytes", at: trailer + 7, expected: "1 to 8")
        }
        func number(_ distance: Int) -> Int? {
            Int(exactly: Self.number(bytes, at: trailer + distance, size: 8))
        }
        guard let count = number(8), count > 0 else {
            throw .damaged("the number of objects is out of range", at: trailer + 8, expected: "at least one")
        }
        // The count is first compared with a quotient, because the product of two numbers from the file may overflow.
        guard let table = number(24), table > Self.header.count, table <= trailer,
            count <= (trailer - table) / offsetSize, count * offsetSize == trailer - table
        else {
            throw .damaged(
                "the table of offsets does not fill the space between objects and trailer", at: trailer + 24)
        }
        guard let top = number(16), top < count else {
            throw .damaged("the top object is not in the table", at: trailer + 16, expected: "one of the objects")
        }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// Returns the offset of an object.
    func offset(of object: Int) throws(Diagnostic) -> Int {
        let place = table + object * offsetSize
        let offset = Self.number(bytes, at: place, size: offsetSize)
        guard let offset = Int(exactly: offset), offset >= Self.header.count, offset < table else {
            throw .damaged(
                "the offset of object \(object) is outside of the objects", at: place,
                expected: "one before the table of offsets")
        }
        return offset
    }

    /// Returns the number of the object to which the reference at an offset refers.
    func reference(at place: Int) throws(Diagnostic) -> Int {
        let number = Self.number(bytes, at: place, size: referenceSize)
        guard let object = Int(exactly: number), object < count else {
            throw .damaged("object \(number) is not in the table", at: place, expected: "one of \(count) objects")
        }
        return object
    }

    /// Finds the content of an object.
    ///
    /// - Parameters:
    ///   - offset: the offset of the object.
    ///   - width: the size of one counted element in bytes.
    /// - Returns: the range of the bytes after the marker and the count, and the count.
    /// - Throws: an error if the count is invalid or the range is not inside of the objects.
    func content(at offset: Int, width: Int) throws(Diagnostic) -> (range: Range<Int>, count: Int) {
        var start = offset + 1
        var count = Int(bytes[offset] & 0x0F)
        if count == 0x0F {
            // A count of 15 or more is stored as an integer object after the marker.
            guard start < table, bytes[start] & 0xF0 == 0x10, bytes[start] & 0x0F <= 3 else {
                throw .invalidCount(at: offset)
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            start += 1
            guard size <= table - start else { throw .pastEnd(at: offset) }
            guard let number = Int(exactly: Self.number(bytes, at: start, size: size)) else {
                throw .invalidCount(at: offset)
            }
            count = number
            start += size
        }
        guard start <= table, count <= (table - start) / width else { throw .pastEnd(at: offset) }
        return (start..<start + count * width, count)
    }

    /// Returns the bytes after the marker of an integer, a real or a date as one number.
    func number(at offset: Int, size: Int) throws(Diagnostic) -> UInt64 {
        guard size <= table - offset - 1 else { throw .pastEnd(at: offset) }
        return Self.number(bytes, at: offset + 1, size: size)
    }

    // Returns a big-endian number of at most 8 bytes. The caller must check that the bytes exist.
    private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> UInt64 {
        bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Diagnostic {
    /// Returns the error for a file that must be damaged, since no software writes such a file.
    static func damaged(_ problem: String, at offset: Int, expected: String? = nil) -> Diagnostic {
        Diagnostic(problem, at: offset, expected: expected, remedy: "Write the file again: it is damaged or cut off")
    }

    fileprivate static func pastEnd(at offset: Int) -> Diagnostic {
        damaged(
            "an object reaches past the end of the objects", at: offset, expected: "its end before the table of offsets"
        )
    }

    fileprivate static func invalidCount(at offset: Int) -> Diagnostic {
        damaged("the count of an object is not an integer", at: offset, expected: "an integer of 1 to 8 bytes")
    }
}
