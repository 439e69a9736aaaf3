/// The booleans, numbers and dates of TOML 1.1.
enum TomlScalar {
    /// Returns the value of a word. Throws `Invalid` if it has none.
    static func value(_ word: String) throws -> ModelValue {
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "inf", "+inf": return .real(Double.infinity)
        case "-inf": return .real(-Double.infinity)
        case "nan", "+nan", "-nan": return .real(Double.nan)
        default: break
        }
        if let date = DateModel.canonical(word) { return .date(date) }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
            return try integer(digits(Array(word.utf8.dropFirst(2)), radix), radix)
        }
        return try decimal(word)
    }

    private static func decimal(_ word: String) throws -> ModelValue {
        var rest = Array(word.utf8)[...]
        let sign = rest.first == UInt8(ascii: "-") ? "-" : ""
        if let first = rest.first, "+-".utf8.contains(first) { rest = rest.dropFirst() }
        let isExponent = { (byte: UInt8) in byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") }
        let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: isExponent)
        let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard mantissa.count <= 2 else { throw Invalid() }
        let whole = try digits(Array(mantissa[0]), 10)
        if whole.utf8.count > 1, whole.hasPrefix("0") { throw Invalid() }
        if parts.count == 1, mantissa.count == 1 { return try integer(sign + whole, 10) }
        var text = sign + whole
        if mantissa.count == 2 { text += "." + (try digits(Array(mantissa[1]), 10)) }
        if parts.count == 2 {
            let isNegative = parts[1].first == UInt8(ascii: "-")
            let isSigned = isNegative || parts[1].first == UInt8(ascii: "+")
            text += (isNegative ? "e-" : "e") + (try digits(Array(parts[1].dropFirst(isSigned ? 1 : 0)), 10))
        }
        guard let double = Double(text), double.isFinite else { throw Invalid() }
        return .real(double)
    }

    private static func integer(_ digits: String, _ radix: Int) throws -> ModelValue {
        guard let integer = Int64(digits, radix: radix) else { throw Invalid() }
        return .integer("\(integer)")
    }

    /// Returns digits without their underscores. Each underscore must be between two digits.
    private static func digits(_ text: [UInt8], _ radix: Int) throws -> String {
        let parts = text.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        let isDigits = { (part: ArraySlice<UInt8>) in
            !part.isEmpty && part.allSatisfy { Int(String(UnicodeScalar($0)), radix: radix) != nil }
        }
        guard parts.allSatisfy(isDigits) else { throw Invalid() }
        return String(decoding: parts.joined(), as: UTF8.self)
    }
}

/// The dates and times of RFC 3339, with the extensions of TOML 1.1.
enum DateModel {
    /// Returns the canonical notation of a date, a time or both, or nil if a text is none.
    static func canonical(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-") else { return time(bytes) }
        guard let day = day(Array(bytes[..<10])) else { return nil }
        if bytes.count == 10 { return day }
        guard "Tt ".utf8.contains(bytes[10]) else { return nil }
        let rest = Array(bytes[11...])
        if let last = rest.last, "Zz".utf8.contains(last) { return time(rest.dropLast()).map { "\(day)T\($0)Z" } }
        if rest.count > 6, let offset = offset(Array(rest.suffix(6))) {
            return time(rest.dropLast(6)).map { "\(day)T\($0)\(offset)" }
        }
        return time(rest).map { "\(day)T\($0)" }
    }

    private static func number(_ bytes: some Collection<UInt8>, in range: ClosedRange<Int>) -> Int? {
        guard bytes.allSatisfy({ "0123456789".utf8.contains($0) }) else { return nil }
        return Int(String(decoding: Array(bytes), as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func day(_ text: [UInt8]) -> String? {
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let year = number(text[..<4], in: 0...9999),
            let month = number(text[5..<7], in: 1...12), let day = number(text[8...], in: 1...31)
        else { return nil }
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= days[month - 1] ? String(decoding: text, as: UTF8.self) : nil
    }

    private static func time(_ text: some Collection<UInt8>) -> String? {
        let text = Array(text)
        guard text.count == 5 || text.count == 8 || text.count > 9, text[2] == UInt8(ascii: ":"),
            number(text[..<2], in: 0...23) != nil, number(text[3..<5], in: 0...59) != nil
        else { return nil }
        if text.count == 5 { return String(decoding: text, as: UTF8.self) }
        guard text[5] == UInt8(ascii: ":"), number(text[6..<8], in: 0...60) != nil else { return nil }
        let whole = String(decoding: text[..<8], as: UTF8.self)
        if text.count == 8 { return whole }
        let digits = text[9...]
        guard text[8] == UInt8(ascii: "."), digits.allSatisfy({ "0123456789".utf8.contains($0) }) else { return nil }
        var fraction = digits.prefix(9)
        while fraction.count > 1, fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        return "\(whole).\(String(decoding: fraction, as: UTF8.self))"
    }

    private static func offset(_ text: [UInt8]) -> String? {
        guard "+-".utf8.contains(text[0]), text[3] == UInt8(ascii: ":"), number(text[1..<3], in: 0...23) != nil,
            number(text[4...], in: 0...59) != nil
        else { return nil }
        let offset = String(decoding: text, as: UTF8.self)
        return offset.hasSuffix("00:00") ? "Z" : offset
    }
}
