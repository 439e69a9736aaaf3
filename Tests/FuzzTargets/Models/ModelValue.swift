import PropertyLoaders

/// A value as the models of this folder return it, for comparison with what a loader returns.
///
/// The models are slow and obvious: they follow the grammar rule by rule, and share no code with the parsers.
indirect enum ModelValue: Equatable {
    case null
    case bool(Bool)
    /// An integer of any size, in decimal digits.
    case integer(String)
    /// A double, as its bits. All NaNs have the same bits.
    case double(UInt64)
    case string([UInt8])
    case data([UInt8])
    /// A date or a time, in the canonical notation of RFC 3339.
    case date(String)
    case array([ModelValue])
    /// A table, by the bytes of its keys.
    case table([[UInt8]: ModelValue])

    /// The number of arrays and tables in each other, with this one.
    var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .table(let members): 1 + (members.values.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    static func real(_ double: Double) -> ModelValue { .double(double.isNaN ? 0 : double.bitPattern) }
}

extension ModelValue {
    /// Creates the model of a loaded value.
    init(_ value: PropertyValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .integer(let integer): .integer("\(integer)")
            case .unsigned(let integer): .integer("\(integer)")
            case .bigInteger(let digits): .integer(digits)
            case .double(let double): .real(double)
            case .string(let text), .text(let text): .string(Array(text.utf8))
            case .data(let bytes): .data(bytes)
            case .dateTime(let date): .date("\(date)")
            case .array(let nodes): .array(nodes.map { ModelValue($0.value) })
            case .table(let table): .table(Self.members(table))
            case .opaque(let opaque): .string(Array("\(opaque.value)".utf8))
            }
    }

    private static func members(_ table: PropertyTable) -> [[UInt8]: ModelValue] {
        Dictionary(table.map { (Array($0.key.utf8), ModelValue($0.node.value)) }) { $1 }
    }
}

/// The error of a model: the input is not valid.
struct Invalid: Error {}

/// A position in an input.
struct ModelCursor {
    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place >= bytes.count }

    /// The byte at the position, or nil at the end.
    var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Advances over one byte and returns it.
    mutating func next() throws -> UInt8 {
        guard let byte else { throw Invalid() }
        place += 1
        return byte
    }

    func isAt(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    /// Advances over a text if it is next.
    mutating func skip(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        place += text.utf8.count
        return true
    }

    /// Advances over a text that must be next.
    mutating func expect(_ text: String) throws {
        if !skip(text) { throw Invalid() }
    }

    /// Advances over all bytes that are in a set of ASCII characters, and returns them.
    mutating func take(_ characters: String) -> [UInt8] {
        let start = place
        while let byte, characters.utf8.contains(byte) { place += 1 }
        return Array(bytes[start..<place])
    }

    /// Reads a number of hexadecimal digits as a Unicode scalar value.
    mutating func hexadecimal(_ count: Int) throws -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<count {
            guard let digit = Int(String(decoding: [try next()], as: UTF8.self), radix: 16) else { throw Invalid() }
            number = number << 4 | UInt32(digit)
        }
        return number
    }
}

/// Returns a text as UTF-8 without a byte order mark, which the formats ignore.
func modelText(_ bytes: [UInt8]) throws -> [UInt8] {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Invalid() }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
}
