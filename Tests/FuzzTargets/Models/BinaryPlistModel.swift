/// A reader of binary property lists, which follows the references from the top object.
struct BinaryPlistModel {
    /// The limit of the size of all strings and data, which the fuzz target gives to the loader too.
    static let sizeLimit = 1 << 16

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let table: Int
    private let referenceSize: Int
    private var valuesLeft: Int
    private var bytesLeft = sizeLimit

    /// Returns the value of a document. Throws `Invalid` if the document is invalid.
    static func value(_ bytes: [UInt8]) throws -> ModelValue {
        let trailer = bytes.count - 32
        guard trailer >= 10, bytes.starts(with: "bplist00".utf8) else { throw Invalid() }
        let number = { (place: Int) in bytes[trailer + place..<trailer + place + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        let offsetSize = Int(bytes[trailer + 6]), referenceSize = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, let count = Int(exactly: number(8)), count > 0,
            let top = Int(exactly: number(16)), top < count, let table = Int(exactly: number(24)), table > 8,
            table <= trailer, (trailer - table) % offsetSize == 0, (trailer - table) / offsetSize == count
        else { throw Invalid() }
        let offsets = (0..<count).map { index in
            let place = table + index * offsetSize
            let offset = bytes[place..<place + offsetSize].reduce(0) { $0 << 8 | UInt64($1) }
            return Int(exactly: offset) ?? .max
        }
        var model = BinaryPlistModel(
            bytes: bytes, offsets: offsets, table: table, referenceSize: referenceSize,
            valuesLeft: 10_000 + bytes.count)
        return try model.value(top, depth: 0)
    }

    private func offset(_ object: Int) throws -> Int {
        guard object < offsets.count, 8..<table ~= offsets[object] else { throw Invalid() }
        return offsets[object]
    }

    /// Returns the bytes from a place, which must be before the table of offsets.
    private func bytes(_ place: Int, _ count: Int) throws -> [UInt8] {
        guard count >= 0, count <= table - place else { throw Invalid() }
        return Array(bytes[place..<place + count])
    }

    private func number(_ place: Int, _ size: Int) throws -> UInt64 {
        try bytes(place, size).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func reference(_ place: Int) throws -> Int {
        guard let object = Int(exactly: try number(place, referenceSize)) else { throw Invalid() }
        return object
    }

    /// Returns the place and the count of the elements of an object, each of which has a size.
    private func elements(_ offset: Int, size: Int) throws -> (place: Int, count: Int) {
        var place = offset + 1
        var count = Int(bytes[offset] & 15)
        if count == 15 {
            let marker = Int(try number(place, 1))
            guard marker & 0xF0 == 0x10, marker & 15 <= 3 else { throw Invalid() }
            guard let large = Int(exactly: try number(place + 1, 1 << (marker & 15))) else { throw Invalid() }
            count = large
            place += 1 + (1 << (marker & 15))
        }
        guard count <= (table - place) / size else { throw Invalid() }
        return (place, count)
    }
}

// MARK: - Objects

extension BinaryPlistModel {
    private mutating func value(_ object: Int, depth: Int) throws -> ModelValue {
        // The parser's limit is 128. An array that contains itself ends here too.
        guard depth < 200, valuesLeft > 0 else { throw Invalid() }
        valuesLeft -= 1
        let offset = try offset(object)
        let marker = bytes[offset]
        switch marker {
        case 0x08, 0x09: return .bool(marker == 9)
        case 0x10...0x14: return .integer(try integer(offset, 1 << Int(marker & 15)))
        case 0x22: return .real(Double(Float(bitPattern: UInt32(try number(offset + 1, 4)))))
        case 0x23: return .real(Double(bitPattern: try number(offset + 1, 8)))
        case 0x33: return .date(try Self.date(Double(bitPattern: try number(offset + 1, 8))))
        case 0x40...0x4F:
            let (place, count) = try elements(offset, size: 1)
            return .data(try taken(place, count))
        case 0x50...0x6F: return .string(try string(offset))
        case 0xA0...0xAF:
            let (place, count) = try elements(offset, size: referenceSize)
            return .array(
                try (0..<count).map { try value(try reference(place + $0 * referenceSize), depth: depth + 1) })
        case 0xD0...0xDF: return try dictionary(offset, depth: depth + 1)
        default: throw Invalid()
        }
    }

    private mutating func dictionary(_ offset: Int, depth: Int) throws -> ModelValue {
        let (place, count) = try elements(offset, size: 2 * referenceSize)
        var members: [[UInt8]: ModelValue] = [:]
        var keys: Set<String> = []
        for index in 0..<count {
            let key = try string(try self.offset(try reference(place + index * referenceSize)))
            // Keys that are canonically equivalent are equal.
            guard keys.insert(String(decoding: key, as: UTF8.self)).inserted else { throw Invalid() }
            members[key] = try value(try reference(place + (count + index) * referenceSize), depth: depth)
        }
        return .table(members)
    }

    private mutating func taken(_ place: Int, _ count: Int) throws -> [UInt8] {
        guard count <= bytesLeft else { throw Invalid() }
        bytesLeft -= count
        return try bytes(place, count)
    }

    private mutating func string(_ offset: Int) throws -> [UInt8] {
        switch bytes[offset] {
        case 0x50...0x5F:
            let (place, count) = try elements(offset, size: 1)
            let text = try taken(place, count)
            guard text.allSatisfy({ $0 < 0x80 }) else { throw Invalid() }
            return text
        case 0x60...0x6F:
            let (place, count) = try elements(offset, size: 2)
            let pairs = try taken(place, 2 * count)
            let units = (0..<count).map { UInt16(pairs[2 * $0]) << 8 | UInt16(pairs[2 * $0 + 1]) }
            guard let text = String(validating: units, as: UTF16.self) else { throw Invalid() }
            return Array(text.utf8)
        default: throw Invalid()
        }
    }

    // Integers of 8 bytes are two's complement, the others are unsigned.
    private func integer(_ offset: Int, _ size: Int) throws -> String {
        let bytes = try bytes(offset + 1, size)
        guard size == 16 else { return "\(Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))" }
        guard bytes.prefix(8).allSatisfy({ $0 == 0 }) else { throw Invalid() }
        return "\(bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })"
    }

    /// Returns the date of a number of seconds since 2001, by counting the days of the years and the months.
    static func date(_ seconds: Double) throws -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { throw Invalid() }
        var whole = Int(seconds.rounded(.down))
        var nanosecond = Int(((seconds - seconds.rounded(.down)) * 1e9).rounded())
        if nanosecond == 1_000_000_000 { (whole, nanosecond) = (whole + 1, 0) }
        let isLeap = { (year: Int) in year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
        let second = (whole % 86_400 + 86_400) % 86_400
        var days = (whole - second) / 86_400
        var year = 2001
        while days < 0, year >= 0 {
            year -= 1
            days += isLeap(year) ? 366 : 365
        }
        while year <= 9999, days >= (isLeap(year) ? 366 : 365) {
            days -= isLeap(year) ? 366 : 365
            year += 1
        }
        guard 0...9999 ~= year, days >= 0 else { throw Invalid() }
        var month = 0
        let months = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        while days >= months[month] {
            days -= months[month]
            month += 1
        }
        let parts = [
            padded(year, 4), "-", padded(month + 1, 2), "-", padded(days + 1, 2), "T", padded(second / 3600, 2), ":",
            padded(second / 60 % 60, 2), ":", padded(second % 60, 2),
        ]
        var fraction = nanosecond == 0 ? "" : "." + padded(nanosecond, 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return parts.joined() + fraction + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// Base64 with padding and unused bits of zero (RFC 4648, section 4).
enum Base64Model {
    /// Returns the bytes of a text. Throws `Invalid` if the text is invalid.
    static func bytes(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { throw Invalid() }
        var padding = 0
        while padding < 2, digits.last == UInt8(ascii: "=") {
            digits.removeLast()
            padding += 1
        }
        var bits: [Bool] = []
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { throw Invalid() }
            bits += (0..<6).map { value >> (5 - $0) & 1 == 1 }
        }
        let count = bits.count / 8
        guard !bits[(count * 8)...].contains(true) else { throw Invalid() }
        return (0..<count).map { index in bits[index * 8..<index * 8 + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }
    }
}
