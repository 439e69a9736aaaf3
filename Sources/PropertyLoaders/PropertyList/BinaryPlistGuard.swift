internal import Foundation

/// A check of the objects of a binary property list, before Foundation reads them.
///
///     "bplist00" | objects | table of their offsets | trailer of 32 bytes
///
/// Foundation crashes on sets, replaces invalid text, misreads negative integers of 16 bytes, and takes exponential
/// time for arrays that are shared at every level. An object that is used several times is checked and counted each
/// time. An array that contains itself exceeds the limit of the depth.
struct BinaryPlistGuard {
    private let bytes: [UInt8]
    private let count: Int
    private let referenceSize: Int
    private let offsetSize: Int
    // The offset at which the objects end and the table of their offsets starts.
    private let table: Int
    private var budget: PlistBudget

    /// Checks a whole file, which must begin with `bplist`.
    @discardableResult
    init(_ bytes: [UInt8], _ budget: PlistBudget) throws(Diagnostic) {
        let trailer = bytes.count - 32
        guard trailer > 8, bytes[6...].starts(with: "00".utf8) else { throw Self.invalid("the header or the size", 6) }
        func number(_ distance: Int, _ size: Int) -> Int {
            Self.number(bytes[(trailer + distance)..<(trailer + distance + size)])
        }
        (offsetSize, referenceSize, count, table) = (number(6, 1), number(7, 1), number(8, 8), number(24, 8))
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, 9...trailer ~= table,
            (trailer - table).quotientAndRemainder(dividingBy: offsetSize) == (count, 0)
        else { throw Self.invalid("the trailer", trailer) }
        self.bytes = bytes
        self.budget = budget
        try check(number(16, 8))
    }

    // Each level of nesting takes two calls. The depth limit relies on their small stack frames.
    private mutating func check(_ object: Int) throws(Diagnostic) {
        let offset = try offset(of: object)
        try budget.addValue(at: offset, inFileOf: bytes.count)
        switch bytes[offset] {
        case 0x08, 0x09, 0x10...0x13, 0x22, 0x23, 0x33: break
        case 0x14 where bytes[(offset + 1)...].prefix(8).allSatisfy { $0 == 0 }: break
        case 0x40...0x4F: try budget.addBytes(content(at: offset, width: 1).count, at: offset)
        case 0x50...0x6F: _ = try string(at: offset)
        case 0xA0...0xAF, 0xD0...0xDF: try checkElements(at: offset)
        case 0x00: throw Self.unsupported("a null", offset)
        case 0x14: throw Self.unsupported("an integer of 16 bytes that is not from 0 to 2^64 - 1", offset)
        case 0x80...0x8F: throw Self.unsupported("a UID", offset)
        case 0xB0...0xCF: throw Self.unsupported("a set", offset)
        default: throw Self.invalid("an object", offset)
        }
    }

    private mutating func checkElements(at offset: Int) throws(Diagnostic) {
        try budget.open(at: offset)
        // In a dictionary, the references to all keys come first, then those to all values.
        let isDictionary = bytes[offset] >= 0xD0
        let content = try content(at: offset, width: isDictionary ? 2 * referenceSize : referenceSize)
        let values = isDictionary ? content.lowerBound + content.count / 2 : content.lowerBound
        var keys: Set<String> = []
        for place in stride(from: content.lowerBound, to: content.upperBound, by: referenceSize) {
            let element = Self.number(bytes[place..<(place + referenceSize)])
            if place < values {
                let key = try self.offset(of: element)
                guard 0x50...0x6F ~= bytes[key] else { throw Self.unsupported("a key that is not a string", key) }
                let text = try string(at: key)
                try budget.addKey(text.utf8.count, at: key)
                // Foundation keeps one of two keys that differ only in how their characters are composed.
                guard keys.insert(text).inserted else {
                    throw Self.unsupported("a key that equals another key of the dictionary", key)
                }
            } else {
                try check(element)
            }
        }
        budget.close()
    }

    private mutating func string(at offset: Int) throws(Diagnostic) -> String {
        let isASCII = bytes[offset] < 0x60
        let content = try content(at: offset, width: isASCII ? 1 : 2)
        try budget.addBytes(content.count, at: offset)
        let string = String(bytes: bytes[content], encoding: isASCII ? .ascii : .utf16BigEndian)
        guard let string else { throw Self.invalid("a string", offset) }
        return string
    }

    private func offset(of object: Int) throws(Diagnostic) -> Int {
        guard object < count else { throw Self.invalid("a reference", table) }
        let place = table + object * offsetSize
        let offset = Self.number(bytes[place..<(place + offsetSize)])
        guard 8..<table ~= offset else { throw Self.invalid("an offset", place) }
        return offset
    }

    /// Returns the range of the elements of an object, which have `width` bytes each.
    private func content(at offset: Int, width: Int) throws(Diagnostic) -> Range<Int> {
        var start = offset + 1
        var count = Int(bytes[offset] & 0x0F)
        if count == 0x0F {
            // A count of 15 or more is stored as an integer object after the marker.
            let size = 1 << Int(bytes[start] & 0x03)
            guard 0x10...0x13 ~= bytes[start], start + size < table else { throw Self.invalid("a count", offset) }
            count = Self.number(bytes[(start + 1)...(start + size)])
            start += 1 + size
        }
        guard count <= (table - start) / width else { throw Self.invalid("the size of an object", offset) }
        return start..<(start + count * width)
    }

    /// Returns a big-endian number, or `Int.max` if it is larger.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    private static func unsupported(_ what: MessageText, _ offset: Int) -> Diagnostic {
        let remedy: MessageText = "Leave it out, or write a value that XML property lists have too"
        return Diagnostic("there is \(what)", at: offset, remedy: remedy, kind: .unsupported)
    }

    /// Returns the error for a file that must be damaged, since no software writes a file like that.
    static func invalid(_ what: MessageText, _ offset: Int) -> Diagnostic {
        Diagnostic("\(what) is invalid", at: offset, remedy: "Write the file again: it is damaged or cut off")
    }
}
