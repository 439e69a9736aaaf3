/// A number of bytes, such as the size of the largest body of a request.
///
///     @Setting("The largest body", in: .bytes(1)...(.gigabytes(1))) var bodyLimit = ByteSize.megabytes(10)
///
/// In a source it is `10MB`, which is 10,000,000 bytes, or `64KiB`, which is 65,536. A bare number is in bytes.
public struct ByteSize: Hashable, Sendable {
    /// The number of bytes.
    public let bytes: Int

    /// Creates a size.
    public init(bytes: Int) { self.bytes = bytes }

    /// Returns a number of bytes.
    public static func bytes(_ count: Int) -> ByteSize { ByteSize(bytes: count) }
    /// Returns a number of kilobytes, of 1,000 bytes.
    public static func kilobytes(_ count: Int) -> ByteSize { ByteSize(bytes: count * 1_000) }
    /// Returns a number of megabytes, of 1,000,000 bytes.
    public static func megabytes(_ count: Int) -> ByteSize { ByteSize(bytes: count * 1_000_000) }
    /// Returns a number of gigabytes, of 1,000,000,000 bytes.
    public static func gigabytes(_ count: Int) -> ByteSize { ByteSize(bytes: count * 1_000_000_000) }
    /// Returns a number of kibibytes, of 1,024 bytes.
    public static func kibibytes(_ count: Int) -> ByteSize { ByteSize(bytes: count * 1_024) }
    /// Returns a number of mebibytes, of 1,048,576 bytes.
    public static func mebibytes(_ count: Int) -> ByteSize { ByteSize(bytes: count * 1_048_576) }
    /// Returns a number of gibibytes, of 1,073,741,824 bytes.
    public static func gibibytes(_ count: Int) -> ByteSize { ByteSize(bytes: count * 1_073_741_824) }
}

extension ByteSize: Comparable, CustomStringConvertible {
    /// Whether a size has fewer bytes than another.
    public static func < (one: ByteSize, other: ByteSize) -> Bool { one.bytes < other.bytes }

    /// The size as a whole number of the unit that makes the number smallest, such as `10MB` or `64KiB`.
    public var description: String { ByteSizeText.text(of: bytes) }
}

// MARK: - Reading

extension ByteSize: PropertyConvertible, SourceConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a size such as \"10MB\" or \"64KiB\"" }

    /// Reads a whole number of bytes, or text with a unit: `B`, `KB`, `MB`, `GB`, `TB` and `PB` are powers of 1,000, and
    /// `KiB`, `MiB`, `GiB`, `TiB` and `PiB` powers of 1,024. `M` and `Mb` are refused, because their meaning is not clear.
    public init(property node: PropertyNode) throws(PropertyError) {
        switch node.value {
        case .string(let text), .text(let text): try self.init(text, in: node)
        default:
            guard let count = try? Int128(property: node) else {
                throw Self.mismatch(.wrongType, node, remedy: "Write a whole number of bytes, or text with a unit")
            }
            try self.init(count, in: node)
        }
    }

    private init(_ text: String, in node: PropertyNode) throws(PropertyError) {
        if case .text = node.value, let count = try? Int128(property: node) {
            try self.init(count, in: node)
            return
        }
        guard let size = ByteSizeText(text) else {
            throw Self.mismatch(
                .notParsable, node, remedy: Int128(text) == nil ? Self.remedy : "Remove the quotes, or add a unit",
                quoting: ByteSizeText.spellings(of: text).map { "Write \($0)" })
        }
        guard let count = size.bytes else {
            throw Self.mismatch(.notParsable, node, remedy: "Write a whole number of bytes. \(Self.remedy)")
        }
        try self.init(count, in: node)
    }

    private init(_ count: Int128, in node: PropertyNode) throws(PropertyError) {
        guard count >= 0, let bytes = Int(exactly: count) else {
            throw PropertyError(.outOfRange, node, expected: "a size from 0 to \(Int.max) bytes")
        }
        self.init(bytes: bytes)
    }

    private static var remedy: String { "Write MB for powers of 1,000, or MiB for powers of 1,024" }

    package var sourceValue: PropertyValue { .string(description) }

    package static var schema: JsonSchema {
        [
            "type": ["string", "integer"], "minimum": 0,
            "pattern": "^[0-9]+(\\.[0-9]+)? ?(B|[kK]B|[MGTP]B|[KMGTP]iB)$",
        ]
    }
}

extension ByteSize: Codable {
    /// Decodes a whole number of bytes, or text such as `10MB`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let count = try? container.decode(Int.self), count >= 0 {
            self.init(bytes: count)
            return
        }
        let text = try container.decode(String.self)
        guard let count = ByteSizeText(text)?.bytes.flatMap({ Int(exactly: $0) }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected \(Self.propertyTypeName), or a number of bytes")
        }
        self.init(bytes: count)
    }

    /// Encodes the text, such as `10MB`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The text of a size: a number and a unit.
private struct ByteSizeText {
    private static let letters = ["K", "M", "G", "T", "P"]
    /// The units with their numbers of bytes.
    private static let units: [(name: String, bytes: Int128)] =
        [("B", 1), ("kB", 1000)]
        + letters.enumerated().map { ($1 + "B", Self.power(1000, $0 + 1)) }
        + letters.enumerated().map { ($1 + "iB", Self.power(1024, $0 + 1)) }

    private static func power(_ base: Int128, _ exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }

    /// The number of bytes, or nil if it is not a whole number.
    let bytes: Int128?

    /// Reads the text. Nil if it is not a decimal number with a unit.
    init?(_ text: String) {
        guard let (number, name) = Self.parts(text), let unit = Self.units.first(where: { $0.name == name }),
            let whole = Int128(number.prefix { $0 != "." })
        else { return nil }
        let fraction = number.drop { $0 != "." }.dropFirst()
        // No unit has more digits.
        guard fraction.count <= 18 else {
            bytes = nil
            return
        }
        let scale = Self.power(10, fraction.count), part = (Int128(fraction) ?? 0) * unit.bytes
        let (product, isTooMuch) = whole.multipliedReportingOverflow(by: unit.bytes)
        let (sum, isMore) = product.addingReportingOverflow(part / scale)
        bytes = isTooMuch || isMore ? .max : part % scale == 0 ? sum : nil
    }

    /// Returns the decimal digits and the unit, without a blank between them.
    private static func parts(_ text: String) -> (number: Substring, unit: String)? {
        guard text.utf8.count <= 40, text.utf8.allSatisfy({ $0 < 128 }) else { return nil }
        let number = text.prefix { $0.isNumber || $0 == "." }, rest = text.dropFirst(number.count)
        let halves = number.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty }) else { return nil }
        return (number, String(rest.first == " " ? rest.dropFirst() : rest))
    }

    /// Returns the two sizes that a text with an unclear unit may mean, such as `10M` or `10mb`. Nil for other text.
    static func spellings(of text: String) -> String? {
        guard let (number, unit) = parts(text), let first = unit.first?.uppercased(), letters.contains(first),
            ["", "b", "i", "ib"].contains(unit.dropFirst().lowercased())
        else { return nil }
        return "\(number)\(first)B for powers of 1,000, or \(number)\(first)iB for powers of 1,024"
    }

    /// Returns a number of bytes as a whole number of the unit that makes the number smallest.
    static func text(of bytes: Int) -> String {
        let fitting = bytes == 0 ? [] : units.filter { $0.name != "kB" && Int128(bytes) % $0.bytes == 0 }
        let unit = fitting.max { $0.bytes < $1.bytes } ?? ("B", 1)
        return "\(Int128(bytes) / unit.bytes)\(unit.name)"
    }
}
