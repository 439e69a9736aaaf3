import Foundation
import PropertyLoaders

extension FuzzTarget {
    /// The first byte of the input, such as `0`, selects a type, and the rest is the text that is read as this type.
    static let conversion = FuzzTarget("conversion") { bytes in
        guard let first = bytes.first, let text = String(validating: bytes.dropFirst(), as: UTF8.self) else { return }
        let check = ConversionCheck(text)
        switch (first &- UInt8(ascii: "0")) % 10 {
        case 0: try check.integer(Int8.self)
        case 1: try check.integer(UInt64.self)
        case 2: try check.integer(Int128.self)
        case 3: try check.double()
        case 4: try check.float()
        case 5: try check.bool()
        case 6: try check.duration()
        case 7: try check.date()
        default: try check.data()
        }
    }
}

/// Comparisons of what a text is read as with the models of the types.
private struct ConversionCheck {
    private let text: String
    private var bytes: [UInt8] { Array(text.utf8) }

    init(_ text: String) { self.text = text }

    /// Reads the text of an untyped source, by name and as an element of a list, and as the string of a typed source if
    /// the type allows it. All must agree.
    private func value<T: Equatable>(as type: T.Type, isString: Bool = false) throws -> T? {
        let store = PropertyStore()
        store.onWrongValue { _ in }
        let list = PropertyValue.array([PropertyNode(.text(text))])
        let layer = PropertyLayer(
            PropertyTable([("text", .text(text)), ("string", .string(text)), ("list", list)]),
            source: PropertySource(name: "fuzz"))
        try store.apply(FixedLoader(layer: layer))
        let value: T? = store.property("text")
        switch (Result { () throws(PropertyError) in try store.require("text", as: type) }) {
        case .success(let required): try same(value, required)
        case .failure(let error): try check(error, hasValue: value != nil)
        }
        let elements: [T]? = store.property("list")
        try same(value, elements?.first)
        if isString { try same(value, store.property("string")) }
        return value
    }

    private func check(_ error: PropertyError, hasValue: Bool) throws {
        try require(!hasValue, "property returns a value, and require throws: \(error)")
        let isOneLine = error.description.unicodeScalars.allSatisfy { !$0.isControl }
        try require(error.name == "text" && isOneLine, "the error is: \(error)")
        // The text of an untyped source may be secret, and is in no error. It is compared by bytes: Foundation's
        // `contains` ignores zeros.
        let isQuoted =
            bytes.count > 12 && Array(error.description.utf8).contains(bytes)
            && !Array(error.expected.utf8).contains(bytes)
        try require(!isQuoted, "the error has the text: \(error)")
    }

    private func same<T: Equatable>(_ one: T?, _ other: T?) throws {
        let isNaN = [one, other].allSatisfy { ($0 as? any BinaryFloatingPoint)?.isNaN == true }
        try require(
            one == other || isNaN,
            "'\(text)' is \(String(describing: one)) and \(String(describing: other)) as \(T.self)")
    }

    func integer<T: FixedWidthInteger>(_ type: T.Type) throws {
        let expected = IntegerModel.canonical(bytes).flatMap { digits in
            let limit = digits.hasPrefix("-") ? "\(T.min)" : "\(T.max)"
            let isLess = digits.utf8.count == limit.utf8.count ? digits <= limit : digits.utf8.count < limit.utf8.count
            return T.isSigned || !digits.hasPrefix("-") ? (isLess ? digits : nil) : nil
        }
        try same(expected, try value(as: type).map { "\($0)" })
    }

    /// A number: an integer must be exact, anything else is the nearest one that the C library returns.
    func double() throws {
        guard let expected = unsafe number(strtod) else { return try same(nil, try value(as: Double.self)) }
        try same(isExact(expected) ? expected : nil, try value(as: Double.self))
    }

    func float() throws {
        guard let expected = unsafe number(strtof) else { return try same(nil, try value(as: Float.self)) }
        try same(isExact(Double(expected)) ? expected : nil, try value(as: Float.self))
    }

    /// Whether a number is exactly the integer of the text, of at most 128 bits, or the text is not an integer.
    private func isExact(_ number: Double) -> Bool {
        guard let digits = IntegerModel.canonical(bytes) else { return true }
        let is128Bits = Int128(digits) != nil || UInt128(digits) != nil
        return is128Bits && String(format: "%.0f", number.magnitude) == digits.drop { $0 == "-" }
    }

    private func number<F: BinaryFloatingPoint>(
        _ parse: (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> F
    ) -> F? {
        if ["nan", "+nan", "-nan"].contains(text.lowercased()) { return .nan }
        let infinities = ["inf", "infinity"]
        if infinities.flatMap({ [$0, "+" + $0] }).contains(text.lowercased()) { return .infinity }
        if infinities.map({ "-" + $0 }).contains(text.lowercased()) { return -.infinity }
        var cursor = ModelCursor(bytes)
        if !cursor.skip("-") { _ = cursor.skip("+") }
        let whole = cursor.take("0123456789")
        let fraction = cursor.skip(".") ? cursor.take("0123456789") : []
        if cursor.skip("e") || cursor.skip("E") {
            if !cursor.skip("-") { _ = cursor.skip("+") }
            if cursor.take("0123456789").isEmpty { return nil }
        }
        guard cursor.isAtEnd, !whole.isEmpty || !fraction.isEmpty else { return nil }
        let value = unsafe parse(text, nil)
        return value.isFinite ? value : nil
    }

    func bool() throws {
        let lower = String(decoding: bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
        let isTrue = ["true", "yes", "on", "1"].contains(lower)
        let isFalse = ["false", "no", "off", "0"].contains(lower)
        try same(isTrue ? true : isFalse ? false : nil, try value(as: Bool.self))
    }

    func duration() throws {
        let expected = try? DurationModel.attoseconds(bytes)
        try same(expected, try value(as: Duration.self, isString: true)?.attoseconds)
    }

    func date() throws {
        let canonical = DateModel.canonical(text)
        try same(canonical, PropertyDateTime(text)?.description)
        let expected = canonical.flatMap { InstantModel.seconds($0) }
        try same(expected, try value(as: Date.self, isString: true)?.timeIntervalSinceReferenceDate)
        guard let canonical else { return }
        try same(canonical, PropertyDateTime(canonical)?.description)
    }

    func data() throws {
        // RFC 4648, section 4: with padding, and unused bits of zero.
        let expected = Data(base64Encoded: text).flatMap { $0.base64EncodedString() == text ? [UInt8]($0) : nil }
        try same(expected, try value(as: Data.self, isString: true).map { [UInt8]($0) })
        try same(Data(bytes).base64EncodedString(), Base64.text(of: bytes))
    }

}

/// The instants of dates.
enum InstantModel {
    /// Returns the seconds since 2001 of a canonical date-time, or nil if it has no offset from UTC.
    static func seconds(_ canonical: String) -> Double? {
        let text = Array(canonical.utf8)
        let isUTC = text.last == UInt8(ascii: "Z")
        guard text.count > 16, text[10] == UInt8(ascii: "T"), isUTC || "+-".utf8.contains(text[text.count - 6]) else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int { Int(String(decoding: text[range], as: UTF8.self)) ?? 0 }
        func days(in year: Int) -> Int { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 ? 366 : 365 }
        let year = number(0..<4)
        var count = (2001..<max(2001, year)).map(days).reduce(0, +) - (min(2001, year)..<2001).map(days).reduce(0, +)
        let months = [31, days(in: year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        count += months[..<(number(5..<7) - 1)].reduce(0, +) + number(8..<10) - 1
        let end = isUTC ? text.count - 1 : text.count - 6
        let minutes = isUTC ? 0 : number(end + 1..<end + 3) * 60 + number(end + 4..<end + 6)
        let offset = text[end] == UInt8(ascii: "-") ? -minutes : minutes
        let whole = (count * 24 + number(11..<13)) * 3600 + (number(14..<16) - offset) * 60
        let second = end > 16 ? number(17..<19) : 0
        let fraction = end > 20 ? String(decoding: text[20..<end], as: UTF8.self) : "0"
        let nanosecond = Int(fraction.padding(toLength: 9, withPad: "0", startingAt: 0)) ?? 0
        return Double(whole + second) + Double(nanosecond) / 1e9
    }
}
