internal import Properties

/// A reader of binary property lists.
///
/// A value that is referenced several times is counted each time. If arrays are shared at every level, a few bytes
/// expand to any number of values, and only this count limits the time and the memory.
struct BinaryPlistReader {
    private let objects: BinaryObjects
    private let source: PropertySource
    private let limits: PlistLimits
    // The maximum number of values, and how many of them are left.
    private let valueLimit: Int
    private var valuesLeft: Int
    private var bytesLeft: Int
    private var depth = 0
    // The arrays and dictionaries around the current object. A reference to one of them is a cycle.
    private var open: Set<Int> = []

    init(_ bytes: [UInt8], source: PropertySource, limits: PlistLimits) throws(Diagnostic) {
        objects = try BinaryObjects(bytes)
        self.source = source
        self.limits = limits
        // A reference has at least one byte, so a file in which no array or dictionary is shared has fewer values than
        // bytes.
        valueLimit = min(limits.values, Self.valuesOfAnyFile + bytes.count)
        (valuesLeft, bytesLeft) = (valueLimit, limits.bytes)
    }

    // A file may have one value per byte, plus this number. Without it, a small file with shared arrays could exceed
    // the limit.
    private static let valuesOfAnyFile = 10_000

    /// Reads the whole document.
    mutating func document() throws(Diagnostic) -> PropertyNode { try node(of: objects.top) }

    // Each level of nesting takes two calls: `node`, and `array` or `dictionary`. The depth limit relies on the small
    // stack frames of these functions.
    private mutating func node(of object: Int) throws(Diagnostic) -> PropertyNode {
        let offset = try objects.offset(of: object)
        guard valuesLeft > 0 else {
            guard valueLimit < limits.values else { throw limits.tooManyValues(at: offset) }
            throw Diagnostic(
                "there are more than \(valueLimit) values in a file of this size, since arrays or dictionaries are "
                    + "used again",
                at: offset, remedy: "Write each of them separately", kind: .limit)
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

    private mutating func array(_ object: Int, at offset: Int) throws(Diagnostic) -> [PropertyNode] {
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

    private mutating func dictionary(_ object: Int, at offset: Int) throws(Diagnostic) -> PropertyTable {
        try enter(object, at: offset)
        let size = objects.referenceSize
        // The references to all keys come first, then those to all values.
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

    private mutating func enter(_ object: Int, at offset: Int) throws(Diagnostic) {
        guard open.insert(object).inserted else {
            throw .damaged("an array or a dictionary contains itself", at: offset, expected: "values without a cycle")
        }
        guard depth < limits.depth else { throw limits.tooDeep(at: offset) }
        depth += 1
    }

    private mutating func leave(_ object: Int) {
        depth -= 1
        open.remove(object)
    }

    private mutating func key(_ object: Int, in entries: PlistEntries) throws(Diagnostic) -> PropertyKey {
        let offset = try objects.offset(of: object)
        let marker = objects.bytes[offset] >> 4
        guard marker == 0x5 || marker == 0x6 else {
            throw Diagnostic(
                "a key is not a string", at: offset, expected: "a string", remedy: "Give the dictionary string keys")
        }
        let key = PropertyKey(try string(at: offset))
        guard entries.place(of: key) == nil else {
            throw Diagnostic(
                "the key \(PrintableText.quoted(key.rawValue)) is defined twice in a dictionary", at: offset,
                expected: "keys that differ", remedy: "Remove one of the two", kind: .duplicate)
        }
        return key
    }
}

// MARK: - Plain values

extension BinaryPlistReader {
    private mutating func leaf(at offset: Int) throws(Diagnostic) -> PropertyValue {
        let marker = objects.bytes[offset]
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09: return .bool(marker == 0x09)
        case 0x0 where marker == 0x00:
            throw Diagnostic(
                "there is a null", at: offset, expected: "a value",
                remedy: "Leave the key out: property lists have no null", kind: .unsupported)
        case 0x1 where marker <= 0x14: return try integer(at: offset, size: 1 << Int(marker & 0x0F))
        case 0x2 where marker == 0x22:
            let bits = UInt32(truncatingIfNeeded: try objects.number(at: offset, size: 4))
            return .double(Double(Float(bitPattern: bits)))
        case 0x2 where marker == 0x23: return .double(Double(bitPattern: try objects.number(at: offset, size: 8)))
        case 0x3 where marker == 0x33: return .dateTime(try date(at: offset))
        case 0x4:
            let range = try objects.content(at: offset, width: 1).range
            try takeBytes(range.count, at: offset)
            return .data(Array(objects.bytes[range]))
        case 0x5, 0x6: return .string(try string(at: offset))
        case 0x8:
            throw Diagnostic(
                "there is a UID", at: offset, expected: "a plain property list",
                remedy: "A keyed archive is not configuration: write the values themselves", kind: .unsupported)
        case 0xB, 0xC:
            throw Diagnostic(
                "there is a set", at: offset, expected: "an array", remedy: "Write it as an array", kind: .unsupported)
        default:
            throw .damaged(
                "no object has the marker 0x\(String(marker, radix: 16))", at: offset,
                expected: "the marker of a value")
        }
    }

    // Integers of 1, 2 and 4 bytes are unsigned; those of 8 and 16 bytes are signed. A number above `Int64.max` is
    // stored in 16 bytes.
    private func integer(at offset: Int, size: Int) throws(Diagnostic) -> PropertyValue {
        let first = try objects.number(at: offset, size: min(size, 8))
        guard size == 16 else { return .integer(Int64(bitPattern: first)) }
        let low = try objects.number(at: offset + 8, size: 8)
        switch first {
        case 0: return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low)
        case .max where low > UInt64(Int64.max): return .integer(Int64(bitPattern: low))
        default:
            throw Diagnostic(
                "an integer is out of range", at: offset, expected: "one from -2^63 to 2^64 - 1",
                remedy: "Write it as a string", kind: .unsupported)
        }
    }

    private func date(at offset: Int) throws(Diagnostic) -> PropertyDateTime {
        let seconds = Double(bitPattern: try objects.number(at: offset, size: 8))
        guard let date = PropertyDateTime(secondsSince2001: seconds) else {
            throw Diagnostic(
                "a date is out of range", at: offset, expected: "one in the years 0 to 9999", kind: .unsupported)
        }
        return date
    }

    private mutating func string(at offset: Int) throws(Diagnostic) -> String {
        let isASCII = objects.bytes[offset] >> 4 == 0x5
        let range = try objects.content(at: offset, width: isASCII ? 1 : 2).range
        try takeBytes(range.count, at: offset)
        let bytes = objects.bytes[range]
        if isASCII {
            guard bytes.allSatisfy({ $0 < 0x80 }) else {
                throw .damaged("an ASCII string contains another byte", at: offset, expected: "bytes below 128")
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(objects.bytes[$0]) << 8 | UInt16(objects.bytes[$0 + 1])
        }
        guard let string = String(validating: units, as: UTF16.self) else {
            throw .damaged("a string is not valid UTF-16", at: offset, expected: "surrogates in pairs")
        }
        return string
    }

    private mutating func takeBytes(_ count: Int, at offset: Int) throws(Diagnostic) {
        guard count <= bytesLeft else { throw limits.tooManyBytes(at: offset) }
        bytesLeft -= count
    }
}

// MARK: - Dates

extension PropertyDateTime {
    /// Creates an instant from seconds since the start of 2001 in UTC, to the nearest nanosecond.
    ///
    /// The result is nil for a value that is not finite or is outside of the years 0 to 9999.
    fileprivate init?(secondsSince2001 seconds: Double) {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        // A 32-bit `Int` would overflow in 2069.
        var whole = Int64(seconds.rounded(.down))
        var nanosecond = Int(((seconds - seconds.rounded(.down)) * 1e9).rounded())
        if nanosecond == 1_000_000_000 { (whole, nanosecond) = (whole + 1, 0) }
        let days = Self.quotient(whole, 86_400)
        let second = Int(whole - days * 86_400)
        let time = Time(
            hour: second / 3600, minute: second / 60 % 60, second: second % 60,
            nanosecond: nanosecond == 0 ? nil : nanosecond)
        self.init(day: Self.day(daysSince2001: Int(days)), time: time, offset: 0)
    }

    // The computation uses years that start in March, so that the leap day is the last day of a year. An era is 400
    // years or 146,097 days. An era starts on March 1, 2000, which is 306 days before January 1, 2001.
    private static func day(daysSince2001 days: Int) -> Day {
        let days = days + 306
        let era = quotient(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // From March on, the lengths of the months repeat every five months, which have 153 days: 31, 30, 31, 30, 31.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return Day(year: 2000 + era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month, day: day)
    }

    private static func quotient<Number: SignedInteger>(_ number: Number, _ divisor: Number) -> Number {
        number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
    }
}
