/// A reader of TOML 1.1: first the lines, one function for each rule of the grammar, then the tables that they define.
struct TomlModel {
    private var cursor: ModelCursor
    private let root = TomlTable(.header)
    private var current: TomlTable

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"

    /// Returns the value of a document. Throws `Invalid` if the document is invalid.
    static func value(_ bytes: [UInt8]) throws -> ModelValue {
        var model = TomlModel(try modelText(bytes))
        try model.line()
        while !model.cursor.isAtEnd {
            guard model.newline() else { throw Invalid() }
            try model.line()
        }
        return model.root.value
    }

    private init(_ text: [UInt8]) {
        cursor = ModelCursor(text)
        current = root
    }

    private mutating func line() throws {
        blanks()
        if cursor.isAt("[") {
            try header()
        } else if let byte = cursor.byte, !"\n\r#".utf8.contains(byte) {
            try pair(in: current)
        }
        blanks()
        if cursor.isAt("#") { try comment() }
    }

    private mutating func blanks() { _ = cursor.take(" \t") }

    private mutating func newline() -> Bool { cursor.skip("\n") || cursor.skip("\r\n") }

    private mutating func comment() throws {
        while !cursor.isAtEnd, !cursor.isAt("\n"), !cursor.isAt("\r\n") { try check(try cursor.next()) }
    }

    // TOML 1.1, Comment and String: no control characters other than tab.
    private func check(_ byte: UInt8) throws {
        if byte < 0x20 && byte != 9 || byte == 0x7F { throw Invalid() }
    }

    /// Advances over blanks, newlines and comments in an array or an inline table.
    private mutating func space() throws {
        while true {
            blanks()
            if newline() { continue }
            guard cursor.isAt("#") else { return }
            try comment()
        }
    }
}

// MARK: - Keys and tables

extension TomlModel {
    private mutating func key() throws -> [[UInt8]] {
        var parts: [[UInt8]] = []
        repeat {
            blanks()
            parts.append(try simpleKey())
            blanks()
        } while cursor.skip(".")
        return parts
    }

    private mutating func simpleKey() throws -> [UInt8] {
        if cursor.isAt("\"\"\"") || cursor.isAt("'''") { throw Invalid() }
        if cursor.isAt("\"") || cursor.isAt("'") { return try string() }
        let key = cursor.take(Self.letters + Self.digits + "-_")
        if key.isEmpty { throw Invalid() }
        return key
    }

    private mutating func pair(in table: TomlTable) throws {
        let key = try key()
        try cursor.expect("=")
        blanks()
        var table = table
        for part in key.dropLast() { table = try table.dotted(part) }
        guard let last = key.last, table.members[last] == nil else { throw Invalid() }
        table.members[last] = .value(try value())
    }

    private mutating func header() throws {
        try cursor.expect("[")
        let isArray = cursor.skip("[")
        let key = try key()
        try cursor.expect(isArray ? "]]" : "]")
        var table = root
        for part in key.dropLast() { table = try table.above(part) }
        guard let last = key.last else { throw Invalid() }
        current = isArray ? try table.element(last) : try table.header(last)
    }
}

// MARK: - Values

extension TomlModel {
    private mutating func value() throws -> ModelValue {
        switch cursor.byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "{"): return try inlineTable()
        default: return try TomlScalar.value(word())
        }
    }

    // The text of a boolean, a number or a date. A space may replace the T between a date and a time.
    private mutating func word() -> String {
        let characters = Self.letters + Self.digits + "+-_.:"
        var word = cursor.take(characters)
        if word.count == 10, word[4] == UInt8(ascii: "-"), cursor.isAt(" "),
            let next = cursor.bytes.dropFirst(cursor.place + 1).first, Self.digits.utf8.contains(next)
        {
            cursor.place += 1
            word += Array(" ".utf8) + cursor.take(characters)
        }
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func array() throws -> ModelValue {
        var values: [ModelValue] = []
        try list("[", "]") { values.append(try $0.value()) }
        return .array(values)
    }

    private mutating func inlineTable() throws -> ModelValue {
        let table = TomlTable(.header)
        try list("{", "}") { try $0.pair(in: table) }
        return table.value
    }

    private mutating func list(_ open: String, _ close: String, item: (inout TomlModel) throws -> Void) throws {
        try cursor.expect(open)
        try space()
        while !cursor.skip(close) {
            try item(&self)
            try space()
            if cursor.skip(close) { return }
            try cursor.expect(",")
            try space()
        }
    }
}

// MARK: - Strings

extension TomlModel {
    private mutating func string() throws -> [UInt8] {
        if cursor.skip("\"\"\"") { return try multiline("\"") }
        if cursor.skip("'''") { return try multiline("'") }
        let quote = cursor.isAt("'") ? "'" : "\""
        try cursor.expect(quote)
        var result: [UInt8] = []
        while !cursor.skip(quote) {
            let byte = try cursor.next()
            if byte == UInt8(ascii: "\\"), quote == "\"" {
                result += try escape()
            } else {
                try check(byte)
                result.append(byte)
            }
        }
        return result
    }

    private mutating func multiline(_ quote: String) throws -> [UInt8] {
        _ = newline()
        var result: [UInt8] = []
        while true {
            let run = cursor.take(quote)
            // Three quotes end the string, and one or two before them are text.
            if run.count > 5 { throw Invalid() }
            if run.count >= 3 { return result + run.dropLast(3) }
            result += run
            if cursor.isAt("\r\n") || cursor.isAt("\n") {
                _ = newline()
                result.append(0x0A)
            } else if quote == "\"", cursor.skip("\\") {
                result += try multilineEscape()
            } else {
                let byte = try cursor.next()
                try check(byte)
                result.append(byte)
            }
        }
    }

    private mutating func multilineEscape() throws -> [UInt8] {
        let start = cursor.place
        blanks()
        guard newline() else {
            cursor.place = start
            return try escape()
        }
        repeat { blanks() } while newline()
        return []
    }

    private mutating func escape() throws -> [UInt8] {
        let byte = try cursor.next()
        let simple: [Character: UInt8] = [
            "\"": 0x22, "\\": 0x5C, "b": 8, "e": 0x1B, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        let digits: [Character: Int] = ["x": 2, "u": 4, "U": 8]
        let character = Character(Unicode.Scalar(byte))
        if let replacement = simple[character] { return [replacement] }
        guard let count = digits[character], let scalar = Unicode.Scalar(try cursor.hexadecimal(count)) else {
            throw Invalid()
        }
        return Array(String(scalar).utf8)
    }
}
