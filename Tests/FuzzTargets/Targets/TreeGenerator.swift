import PropertyLoaders

/// Makes a tree of values from bytes, each of which selects something.
///
/// After the last byte all bytes are 0, which ends each table and array.
struct TreeGenerator {
    private var bytes: ArraySlice<UInt8>
    private var depth = 0

    /// Creates a generator that uses bytes from the first one on.
    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// Returns the next table. A key occurs once.
    mutating func table() -> PropertyTable {
        var keys: Set<PropertyKey> = []
        var pairs: [(String, PropertyValue)] = []
        for _ in 0..<next(below: 6) {
            let key = string(), value = value()
            if keys.insert(PropertyKey(key)).inserted { pairs.append((key, value)) }
        }
        return PropertyTable(pairs)
    }

    private mutating func next(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

    private mutating func element<T>(_ elements: [T]) -> T { elements[next(below: elements.count)] }

    private mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(next(below: 256)) } }

    private mutating func value() -> PropertyValue {
        // Far below the limits of the parsers.
        let isDeep = depth > 20
        depth += 1
        defer { depth -= 1 }
        switch next(below: 16) {
        case 0: return .null
        case 1: return .bool(next(below: 2) == 1)
        case 2: return .integer(element([0, 1, -1, .max, .min, 1 << 53]))
        case 3: return .integer(Int64(bitPattern: word()))
        case 4: return .unsigned(element([1 << 63, .max]))
        case 5: return .bigInteger(element(["18446744073709551616", "-9223372036854775809"]))
        case 6: return .double(element(Self.numbers))
        case 7: return .double(Double(bitPattern: word()))
        case 8, 9: return .string(string())
        case 10: return .data(rawBytes())
        case 11, 12: return dateTime()
        case 13,
            14 where !isDeep:
            return .table(table())
        case 15 where !isDeep: return .array((0..<next(below: 6)).map { _ in PropertyNode(value()) })
        default: return .text(string())
        }
    }

    private mutating func rawBytes() -> [UInt8] { (0..<next(below: 16)).map { _ in UInt8(next(below: 256)) } }

    private mutating func string() -> String {
        next(below: 2) == 0 ? element(Self.strings) : String(decoding: rawBytes(), as: UTF8.self)
    }

    /// Returns the next date or time, or null if the parts do not exist together.
    private mutating func dateTime() -> PropertyValue {
        let parts = next(below: 8)
        let day = PropertyDateTime.Day(
            year: element([0, 1, 1583, 2000, 2026, 9999]), month: 1 + next(below: 12), day: 1 + next(below: 31))
        let time = PropertyDateTime.Time(
            hour: next(below: 24), minute: next(below: 60), second: element([nil, 0, 30, 59, 60]),
            nanosecond: element([nil, nil, 0, 1, 250_000_000, 999_999_999]))
        let offset = element([nil, 0, 60, -60, 1439, -1439])
        let date = PropertyDateTime(
            day: parts == 0 ? nil : day, time: parts == 1 ? nil : time, offset: parts < 2 ? nil : offset)
        return date.map { .dateTime($0) } ?? .null
    }

    private static let numbers: [Double] = [
        0, -0.0, 1, 0.1, 1e15, 1e16, 1e300, -1e-300, .leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude,
        .infinity, -.infinity, .nan, -.nan, .signalingNaN, Double(nan: 5, signaling: false), 1 / 3,
        9_007_199_254_740_992,
    ]

    /// Texts that are syntax in one of the formats, look like values, or cannot be seen.
    private static let strings = [
        "", "a", "api", "timeout", ".", "a.b", "a..b", "A_B", "__", "-", "baseURL",
        "1", "1e5", "-1", "true", "null", "nan", "2026-11-22",
        "\"", "'", "\"\"\"", "'''", "\\", "\\u0041", "\\n", "\n", "\r", "\r\n", "\t", " ", " a ",
        "\u{0}", "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{a0}", "\u{200d}", "\u{202e}", "\u{2028}", "\u{feff}",
        "\u{fffd}", "\u{fffe}", "é", "e\u{301}", "日本", "\u{1F600}", "\u{10FFFF}",
        "#", "//", "/*", "=", "[a]", "{}", ",", "$HOME", "${a}", "%", "<&>", "]]>", "<!--", "~",
    ]
}
