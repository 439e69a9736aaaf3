/// A reader of `.env` files, with the grammar that `DotEnvPropertyLoader` documents.
struct DotEnvModel {
    private var cursor: ModelCursor
    private static let blank = " \t"

    /// Returns the names and the values. Throws `Invalid` if the text is invalid.
    static func assignments(_ bytes: [UInt8]) throws -> [(name: String, value: [UInt8])] {
        // In bytes that stand for characters of Latin-1, CR LF is one `Character`.
        let characters = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let lineEnds: [Character] = ["\r", "\r\n"]
        let bytes = characters.flatMap { character in
            lineEnds.contains(character) ? [0x0A] : character.unicodeScalars.map { UInt8($0.value) }
        }
        // Text that looks like UTF-16 is refused.
        let isMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if isMark || bytes.count > 1 && (bytes[0] == 0) != (bytes[1] == 0) { throw Invalid() }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        var model = DotEnvModel(cursor: ModelCursor(text))
        var assignments: [(String, [UInt8])] = []
        while true {
            _ = model.cursor.take(Self.blank + "\n")
            if model.cursor.isAtEnd { return assignments }
            if model.cursor.isAt("#") { try model.comment() } else { assignments.append(try model.assignment()) }
        }
    }

    private mutating func comment() throws {
        while let byte = cursor.byte, byte != 0x0A { _ = try cursor.next() }
    }

    private mutating func assignment() throws -> (String, [UInt8]) {
        var name = try name()
        _ = cursor.take(Self.blank)
        if name == "export", !cursor.isAt("=") {
            name = try self.name()
            _ = cursor.take(Self.blank)
        }
        try cursor.expect("=")
        let isBlank = !cursor.take(Self.blank).isEmpty
        if cursor.isAt("#"), isBlank {
            try comment()
            return (name, [])
        }
        let value: [UInt8]
        switch cursor.byte {
        case UInt8(ascii: "'"): value = try literal("'")
        case UInt8(ascii: "`"): value = try literal("`")
        case UInt8(ascii: "\""): value = try doubleQuoted()
        default: return (name, try unquoted())
        }
        guard !value.contains(0), String(validating: value, as: UTF8.self) != nil else { throw Invalid() }
        let isApart = !cursor.take(Self.blank).isEmpty
        if cursor.isAt("#"), isApart { try comment() }
        guard cursor.isAtEnd || cursor.isAt("\n") else { throw Invalid() }
        return (name, value)
    }

    private mutating func name() throws -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
        let first = cursor.take(letters)
        if first.isEmpty { throw Invalid() }
        return String(decoding: first + cursor.take(letters + "0123456789-."), as: UTF8.self)
    }

    /// Reads the text up to the end of the line, or up to a blank and a `#`.
    private mutating func unquoted() throws -> [UInt8] {
        var line: [UInt8] = []
        var isComment = false
        while let byte = cursor.byte, byte != 0x0A {
            if byte == UInt8(ascii: "#"), let last = line.last, Self.blank.utf8.contains(last) {
                isComment = true
                break
            }
            line.append(try cursor.next())
        }
        if isComment { try comment() }
        while let last = line.last, Self.blank.utf8.contains(last) { line.removeLast() }
        guard !line.contains(0), let text = String(validating: line, as: UTF8.self) else { throw Invalid() }
        if isComment, !Self.isClosed(Array(text.unicodeScalars.drop { $0 == "$" })) { throw Invalid() }
        for scalar in [text.unicodeScalars.first, text.unicodeScalars.last] {
            if let scalar, Self.isInvisible(scalar) { throw Invalid() }
        }
        return line
    }

    /// The opening quotation marks, each with those that close it.
    private static let marks: [Unicode.Scalar: String] = [
        "\"": "\"", "'": "'", "`": "`", "”": "”", "’": "’", "´": "´", "＂": "＂", "＇": "＇", "“": "”", "‟": "”", "‘": "’",
        "‛": "’", "„": "“”", "‚": "‘’", "«": "»", "»": "«»", "‹": "›", "›": "‹›", "「": "」", "『": "』",
    ]

    /// Returns whether what the first scalar of a text opens is closed in the text.
    private static func isClosed(_ text: [Unicode.Scalar]) -> Bool {
        func isWord(_ index: Int) -> Bool {
            guard text.indices.contains(index) else { return false }
            return text[index].properties.isAlphabetic || text[index].properties.generalCategory == .decimalNumber
        }
        var expected: [String] = []
        var index = 0
        while index < text.count {
            let scalar = text[index], category = scalar.properties.generalCategory
            if let closers = expected.last, !closers.isEmpty {
                if closers == "\"", scalar == "\\" {
                    index += 1
                } else if closers.unicodeScalars.contains(scalar),
                    !("'’".unicodeScalars.contains(scalar) && isWord(index + 1))
                {
                    expected.removeLast()
                }
            } else if let closers = marks[scalar], !isWord(index - 1) {
                expected.append(closers)
            } else if category == .openPunctuation, marks[scalar] == nil {
                expected.append("")
            } else if category == .closePunctuation, !expected.isEmpty {
                expected.removeLast()
            } else if index == 0 {
                return !scalar.properties.isQuotationMark
            }
            if expected.isEmpty { return true }
            index += 1
        }
        return expected.isEmpty
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isWhitespace || [.control, .format].contains(scalar.properties.generalCategory) {
            // The other format characters have an effect on letters beside them.
            let visible: [ClosedRange<UInt32>] = [
                0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x8E2, 0x206A...0x206F, 0xFFF9...0xFFFB,
                0x10000...0x10FFFF,
            ]
            return !visible.contains { $0.contains(scalar.value) }
        }
        return false
    }

    private mutating func literal(_ quote: String) throws -> [UInt8] {
        try cursor.expect(quote)
        var value: [UInt8] = []
        while !cursor.skip(quote) { value.append(try cursor.next()) }
        return value
    }

    private mutating func doubleQuoted() throws -> [UInt8] {
        try cursor.expect("\"")
        var value: [UInt8] = []
        while !cursor.skip("\"") {
            value += cursor.skip("\\") ? try escape() : [try cursor.next()]
        }
        return value
    }

    private mutating func escape() throws -> [UInt8] {
        let simple: [Character: [UInt8]] = [
            "n": [10], "r": [13], "t": [9], "\"": [0x22], "\\": [0x5C], "$": [0x24], "\n": [],
        ]
        guard let replacement = simple[Character(Unicode.Scalar(try cursor.next()))] else { throw Invalid() }
        return replacement
    }
}
