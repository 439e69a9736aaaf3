internal import Properties

/// Reads a binary property list.
///
/// Values count wherever they are used, since references shared at each level make any number of values of a few bytes.
struct BinaryPlistReader {
    private let objects: BinaryObjects
    private let source: PropertySource
    private let limits: PlistLimits
    // How many values there may be, and how many are left.
    private let valueLimit: Int
    private var valuesLeft: Int
    private var bytesLeft: Int
    private var depth = 0
    // The objects around the present one: one of them again makes a circle.
    private var open: Set<Int> = []

    init(_ bytes: [UInt8], source: PropertySource, limits: PlistLimits) throws(PlistFault) {
        objects = try BinaryObjects(bytes)
        self.source = source
        self.limits = limits
        // A reference has a byte at least, so a file in which no array is used twice has no more values than bytes.
        valueLimit = min(limits.values, Self.valuesOfAnyFile + bytes.count)
        (valuesLeft, bytesLeft) = (valueLimit, limits.bytes)
    }

    // How many values a file of no size may have.
    private static let valuesOfAnyFile = 10_000

    /// Reads the whole document.
    mutating func document() throws(PlistFault) -> PropertyNode {
        try node(of: objects.top)
    }

    // Two functions a level, `node` and `array` or `dictionary`, with little on the stack: the depth limit rests on it.
    private mutating func node(of object: Int) throws(PlistFault) -> PropertyNode {
        let offset = try objects.offset(of: object)
        guard valuesLeft > 0 else {
            throw PlistFault(
                valueLimit < limits.values ? .outOfProportion(valueLimit) : .tooManyValues(valueLimit), at: offset)
        }
        valuesLeft -= 1
        let value: PropertyValue
        switch objects.bytes[offset] >> 4 {
        case 0xA: value = .array(try array(object, at: offset))
        case 0xD: value = .table(try dictionary(object, at: offset))
        default: value = try leaf(at: offset)
        }
        return PropertyNode(value, origin: PropertyOrigin(source: source))
    }

    private mutating func array(_ object: Int, at offset: Int) throws(PlistFault) -> [PropertyNode] {
        try enter(object, at: offset)
        let size = objects.referenceSize
        let content = try objects.content(at: offset, width: size)
        var nodes: [PropertyNode] = []
        for place in stride(from: content.range.lowerBound, to: content.range.upperBound, by: size) {
            nodes.append(try node(of: objects.reference(at: place)))
        }
        leave(object)
        return nodes
    }

    private mutating func dictionary(_ object: Int, at offset: Int) throws(PlistFault) -> PropertyTable {
        try enter(object, at: offset)
        let size = objects.referenceSize
        // First the references to all keys, then those to all values.
        let content = try objects.content(at: offset, width: 2 * size)
        var entries = PlistEntries()
        for index in 0..<content.count {
            let place = content.range.lowerBound + index * size
            let key = try self.key(objects.reference(at: place), in: entries)
            let node = try node(of: objects.reference(at: place + content.count * size))
            entries.set(node, for: key, at: PropertyOrigin.nowhere)
        }
        leave(object)
        return entries.table
    }

    private mutating func enter(_ object: Int, at offset: Int) throws(PlistFault) {
        guard open.insert(object).inserted else { throw PlistFault(.object(.cycle), at: offset) }
        guard depth < limits.depth else { throw PlistFault(.tooDeep(limits.depth), at: offset) }
        depth += 1
    }

    private mutating func leave(_ object: Int) {
        depth -= 1
        open.remove(object)
    }

    private mutating func key(_ object: Int, in entries: PlistEntries) throws(PlistFault) -> PropertyKey {
        let offset = try objects.offset(of: object)
        let marker = objects.bytes[offset] >> 4
        guard marker == 0x5 || marker == 0x6 else { throw PlistFault(.object(.keyNotString), at: offset) }
        let key = PropertyKey(try string(at: offset))
        guard entries.place(of: key) == nil else { throw PlistFault(.object(.keyTwice(key.rawValue)), at: offset) }
        return key
    }
}

// MARK: - Plain values

extension BinaryPlistReader {
    private mutating func leaf(at offset: Int) throws(PlistFault) -> PropertyValue {
        let marker = objects.bytes[offset]
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09: return .bool(marker == 0x09)
        case 0x0 where marker == 0x00: throw PlistFault(.object(.null), at: offset)
        case 0x1 where marker <= 0x14: return try integer(at: offset, size: 1 << Int(marker & 0x0F))
        case 0x2 where marker == 0x22:
            let bits = UInt32(truncatingIfNeeded: try objects.number(at: offset, size: 4))
            return .double(Double(Float(bitPattern: bits)))
        case 0x2 where marker == 0x23: return .double(Double(bitPattern: try objects.number(at: offset, size: 8)))
        case 0x3 where marker == 0x33: return .dateTime(try date(at: offset))
        case 0x4:
            let range = try objects.content(at: offset, width: 1).range
            try spend(range.count, at: offset)
            return .data(Array(objects.bytes[range]))
        case 0x5, 0x6: return .string(try string(at: offset))
        case 0x8: throw PlistFault(.object(.uid), at: offset)
        case 0xB, 0xC: throw PlistFault(.object(.set), at: offset)
        default: throw PlistFault(.object(.unknownType(marker)), at: offset)
        }
    }

    // The format's rule: 1, 2 and 4 bytes have no sign, 8 and 16 have one. Sixteen are how a number above Int64.max is
    // written.
    private func integer(at offset: Int, size: Int) throws(PlistFault) -> PropertyValue {
        let first = try objects.number(at: offset, size: min(size, 8))
        guard size == 16 else { return .integer(Int64(bitPattern: first)) }
        let low = try objects.number(at: offset + 8, size: 8)
        switch first {
        case 0: return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low)
        case .max where low > UInt64(Int64.max): return .integer(Int64(bitPattern: low))
        default: throw PlistFault(.object(.integerRange), at: offset)
        }
    }

    private func date(at offset: Int) throws(PlistFault) -> PropertyDateTime {
        let seconds = Double(bitPattern: try objects.number(at: offset, size: 8))
        guard let date = PropertyDateTime(secondsSince2001: seconds) else {
            throw PlistFault(.object(.dateRange), at: offset)
        }
        return date
    }

    private mutating func string(at offset: Int) throws(PlistFault) -> String {
        let isASCII = objects.bytes[offset] >> 4 == 0x5
        let range = try objects.content(at: offset, width: isASCII ? 1 : 2).range
        try spend(range.count, at: offset)
        let bytes = objects.bytes[range]
        if isASCII {
            guard bytes.allSatisfy({ $0 < 0x80 }) else { throw PlistFault(.object(.nonASCII), at: offset) }
            return String(decoding: bytes, as: UTF8.self)
        }
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(objects.bytes[$0]) << 8 | UInt16(objects.bytes[$0 + 1])
        }
        guard let string = String(validating: units, as: UTF16.self) else {
            throw PlistFault(.object(.surrogate), at: offset)
        }
        return string
    }

    private mutating func spend(_ count: Int, at offset: Int) throws(PlistFault) {
        guard count <= bytesLeft else { throw PlistFault(.tooManyBytes(limits.bytes), at: offset) }
        bytesLeft -= count
    }
}
