internal import Properties

/// Walks a binary property list as the parser will, and refuses what it would not survive.
///
/// What the parser (swift-corelibs-foundation's) does, measured: a set that holds something crashes it, and references
/// shared at each level keep it busy for ever. So values count wherever they are used, and circles, sets and keys that are
/// no strings are refused.
struct BinaryWalker {
    private let objects: BinaryObjects
    private let limits: PlistLimits
    // How many values there may be, and how many are left.
    private let valueLimit: Int
    private var valuesLeft: Int
    private var bytesLeft: Int
    private var depth = 0
    // The objects around the present one: one of them again makes a circle.
    private var open: Set<Int> = []

    init(_ bytes: [UInt8], limits: PlistLimits) throws(PlistFault) {
        objects = try BinaryObjects(bytes)
        self.limits = limits
        // A reference has a byte at least, so a file in which no array is used twice has no more values than bytes.
        valueLimit = min(limits.values, Self.valuesOfAnyFile + bytes.count)
        (valuesLeft, bytesLeft) = (valueLimit, limits.bytes)
    }

    // How many values a file of no size may have.
    private static let valuesOfAnyFile = 10_000

    /// The shape of the document.
    mutating func shape() throws(PlistFault) -> PlistShape {
        try shape(of: objects.top)
    }

    // Two functions a level, `shape` and `array` or `dictionary`, with little on the stack: the depth limit rests on it.
    private mutating func shape(of object: Int) throws(PlistFault) -> PlistShape {
        let offset = try objects.offset(of: object)
        guard valuesLeft > 0 else {
            throw PlistFault(
                valueLimit < limits.values ? .outOfProportion(valueLimit) : .tooManyValues(valueLimit), at: offset)
        }
        valuesLeft -= 1
        let kind: PlistShape.Kind
        switch objects.bytes[offset] >> 4 {
        case 0xA: kind = .array(try array(object, at: offset))
        case 0xD: kind = .dictionary(try dictionary(object, at: offset))
        default: kind = try leaf(at: offset)
        }
        return PlistShape(kind: kind, place: PropertyOrigin.nowhere)
    }

    private mutating func leaf(at offset: Int) throws(PlistFault) -> PlistShape.Kind {
        let marker = objects.bytes[offset]
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09: return .bool
        case 0x0 where marker == 0x00: throw PlistFault(.object(.null), at: offset)
        case 0x1 where marker <= 0x14:
            try checkInteger(at: offset, size: 1 << Int(marker & 0x0F))
            return .integer
        case 0x2 where marker == 0x22 || marker == 0x23:
            _ = try objects.number(at: offset, size: marker == 0x22 ? 4 : 8)
            return .real
        case 0x3 where marker == 0x33: return .date(try date(at: offset))
        case 0x4:
            try spend(objects.content(at: offset, width: 1).count, at: offset)
            return .data
        case 0x5, 0x6:
            _ = try string(at: offset)
            return .string
        case 0x8: throw PlistFault(.object(.uid), at: offset)
        case 0xB, 0xC: throw PlistFault(.object(.set), at: offset)
        default: throw PlistFault(.object(.unknownType(marker)), at: offset)
        }
    }

    private mutating func array(_ object: Int, at offset: Int) throws(PlistFault) -> [PlistShape] {
        try enter(object, at: offset)
        let size = objects.referenceSize
        let content = try objects.content(at: offset, width: size)
        var shapes: [PlistShape] = []
        for place in stride(from: content.range.lowerBound, to: content.range.upperBound, by: size) {
            shapes.append(try shape(of: objects.reference(at: place)))
        }
        leave(object)
        return shapes
    }

    private mutating func dictionary(_ object: Int, at offset: Int) throws(PlistFault) -> [PlistShape.Entry] {
        try enter(object, at: offset)
        let size = objects.referenceSize
        // First the references to all keys, then those to all values.
        let content = try objects.content(at: offset, width: 2 * size)
        var keys = PlistKeys()
        for index in 0..<content.count {
            let place = content.range.lowerBound + index * size
            let key = try self.key(objects.reference(at: place), in: keys)
            let value = try shape(of: objects.reference(at: place + content.count * size))
            keys.set(PlistShape.Entry(key: key, keyPlace: PropertyOrigin.nowhere, value: value))
        }
        leave(object)
        return keys.entries
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

    private mutating func key(_ object: Int, in keys: PlistKeys) throws(PlistFault) -> String {
        let offset = try objects.offset(of: object)
        let marker = objects.bytes[offset] >> 4
        guard marker == 0x5 || marker == 0x6 else { throw PlistFault(.object(.keyNotString), at: offset) }
        let key = try string(at: offset)
        guard case .new = keys.place(of: key) else { throw PlistFault(.object(.keyTwice(key)), at: offset) }
        return key
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
        // The parser refuses it, and no writer makes it.
        guard !range.isEmpty else { throw PlistFault(.object(.emptyUTF16), at: offset) }
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

    // Sixteen bytes are how a number above Int64.max is written; the first eight are then zero.
    private func checkInteger(at offset: Int, size: Int) throws(PlistFault) {
        guard size == 16 else {
            _ = try objects.number(at: offset, size: size)
            return
        }
        let high = try objects.number(at: offset, size: 8)
        let low = try objects.number(at: offset + 8, size: 8)
        guard high == 0 || (high == UInt64.max && low > UInt64(Int64.max)) else {
            throw PlistFault(.object(.integerRange), at: offset)
        }
    }

    private func date(at offset: Int) throws(PlistFault) -> PropertyDateTime {
        let seconds = Double(bitPattern: try objects.number(at: offset, size: 8))
        guard let date = PropertyDateTime(secondsSince2001: seconds) else {
            throw PlistFault(.object(.dateRange), at: offset)
        }
        return date
    }
}
