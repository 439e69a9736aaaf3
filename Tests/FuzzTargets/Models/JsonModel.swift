/// A reader of JSON, with the comments and trailing commas of `JsonDocument`, one function for each rule of RFC 8259.
struct JsonModel {
    private var cursor: ModelCursor
    private let isStrict: Bool

    /// Returns the value of a document.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - isStrict: whether comments and trailing commas are invalid.
    /// - Returns: the value.
    /// - Throws: `Invalid` if the document is invalid.
    static func value(_ bytes: [UInt8], isStrict: Bool) throws -> ModelValue {
        var model = JsonModel(cursor: ModelCursor(try modelText(bytes)), isStrict: isStrict)
        try model.space()
        let value = try model.value(depth: 0)
        try model.space()
        guard model.cursor.isAtEnd else { throw Invalid() }
        return value
    }

    private mutating func value(depth: Int) throws -> ModelValue {
        // Keeps the recursion of the model within the stack. The parser's limit is 128.
        guard depth < 200 else { throw Invalid() }
        switch cursor.byte {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        default: break
        }
        if cursor.skip("true") { return .bool(true) }
        if cursor.skip("false") { return .bool(false) }
        if cursor.skip("null") { return .null }
        return try number()
    }

    private mutating func object(depth: Int) throws -> ModelValue {
        var members: [[UInt8]: ModelValue] = [:]
        try list("{", "}") { model in
            let key = try model.string()
            try model.space()
            try model.cursor.expect(":")
            try model.space()
            members[key] = try model.value(depth: depth)
        }
        return .table(members)
    }

    private mutating func array(depth: Int) throws -> ModelValue {
        var values: [ModelValue] = []
        try list("[", "]") { values.append(try $0.value(depth: depth)) }
        return .array(values)
    }

    private mutating func list(_ open: String, _ close: String, item: (inout JsonModel) throws -> Void) throws {
        try cursor.expect(open)
        try space()
        if cursor.skip(close) { return }
        while true {
            try item(&self)
            try space()
            if cursor.skip(close) { return }
            try cursor.expect(",")
            try space()
            if !isStrict, cursor.skip(close) { return }
        }
    }

    private mutating func string() throws -> [UInt8] {
        try cursor.expect("\"")
        var text: [UInt8] = []
        while true {
            let byte = try cursor.next()
            switch byte {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"): text += try escape()
            case ..<0x20: throw Invalid()
            default: text.append(byte)
            }
        }
    }

    private mutating func escape() throws -> [UInt8] {
        let byte = try cursor.next()
        let simple: [Character: UInt8] = [
            "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        if let replacement = simple[Character(Unicode.Scalar(byte))] { return [replacement] }
        guard byte == UInt8(ascii: "u") else { throw Invalid() }
        let first = try cursor.hexadecimal(4)
        var number = first
        if 0xD800..<0xDC00 ~= first {
            try cursor.expect("\\u")
            let second = try cursor.hexadecimal(4)
            guard 0xDC00..<0xE000 ~= second else { throw Invalid() }
            number = 0x10000 + (first - 0xD800) * 0x400 + (second - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(number) else { throw Invalid() }
        return Array(String(scalar).utf8)
    }

    private mutating func number() throws -> ModelValue {
        let digits = "0123456789"
        let sign = cursor.skip("-") ? "-" : ""
        let whole = cursor.take(digits)
        guard !whole.isEmpty, whole.count == 1 || whole[0] != UInt8(ascii: "0") else { throw Invalid() }
        let integer = String(decoding: whole, as: UTF8.self)
        var text = sign + integer
        var isInteger = true
        if cursor.skip(".") {
            let fraction = cursor.take(digits)
            if fraction.isEmpty { throw Invalid() }
            text += "." + String(decoding: fraction, as: UTF8.self)
            isInteger = false
        }
        if cursor.skip("e") || cursor.skip("E") {
            let sign = cursor.skip("-") ? "-" : cursor.skip("+") ? "+" : ""
            let exponent = cursor.take(digits)
            if exponent.isEmpty { throw Invalid() }
            text += "e" + sign + String(decoding: exponent, as: UTF8.self)
            isInteger = false
        }
        if isInteger { return .integer(integer == "0" ? "0" : text) }
        guard let double = Double(text), double.isFinite else { throw Invalid() }
        return .real(double)
    }

    private mutating func space() throws {
        while true {
            if !cursor.take(" \t\n\r").isEmpty { continue }
            if isStrict { return }
            if cursor.skip("//") {
                while let byte = cursor.byte, byte != 0x0A, byte != 0x0D { cursor.place += 1 }
            } else if cursor.skip("/*") {
                while !cursor.skip("*/") { _ = try cursor.next() }
            } else {
                return
            }
        }
    }
}
