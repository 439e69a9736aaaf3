/// Splits Swift source code, or a piece of it in a document, into tokens.
struct SwiftText {
    struct Token {
        enum Kind { case word, mark, literal, comment }

        let kind: Kind
        /// The word, the mark, the comment with its slashes, or the text of a literal with `…` for what it interpolates.
        let text: String
        let line: Int
        /// Whether a blank or the start of the text is before the token.
        let isSpaced: Bool
    }

    private(set) var tokens: [Token] = []
    private let bytes: [UInt8]
    private var offset = 0
    private var line: Int

    init(_ text: String, line: Int = 1) {
        bytes = Array(text.utf8)
        self.line = line
        scan(untilParenthesis: false)
    }

    private func byte(_ distance: Int = 0) -> UInt8 {
        offset + distance < bytes.count ? bytes[offset + distance] : 0
    }

    private func starts(with text: [UInt8]) -> Bool {
        guard offset < bytes.count, bytes[offset] == text.first else { return false }
        return bytes[offset...].starts(with: text)
    }

    private mutating func append(_ kind: Token.Kind, from start: Int, line: Int? = nil) {
        let isSpaced = start == 0 || bytes[start - 1] <= 0x20
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        tokens.append(Token(kind: kind, text: text, line: line ?? self.line, isSpaced: isSpaced))
    }

    // The bytes are compared with numbers, because a debug build calls a function for each `UInt8(ascii:)`.
    private let isInWord: [Bool] = (0..<256).map { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
        default: false
        }
    }

    /// Whether `…` is next, which is no part of a word.
    private var isEllipsis: Bool { byte() == 0xE2 && byte(1) == 0x80 && byte(2) == 0xA6 }

    // Ends behind the closing parenthesis if the text is interpolated into a literal.
    private mutating func scan(untilParenthesis: Bool) {
        var depth = 0
        while offset < bytes.count {
            let first = bytes[offset]
            if first <= 0x20 {
                if first == 0x0A { line += 1 }
                offset += 1
            } else if isInWord[Int(first)], !isEllipsis {
                scanWord()
            } else {
                switch first {
                case 0x2F where byte(1) == 0x2F: scanLineComment()
                case 0x2F where byte(1) == 0x2A: skipBlockComment()
                case 0x2F where isRegex: skipRegex()
                case 0x22: scanLiteral(pounds: 0)
                case 0x23: scanPounds()
                default:
                    if first == 0x28 { depth += 1 }
                    if first == 0x29 { depth -= 1 }
                    scanMark()
                    if first == 0x29, untilParenthesis, depth == 0 { return }
                }
            }
        }
    }

    private mutating func scanWord() {
        let start = offset
        while offset < bytes.count, isInWord[Int(bytes[offset])], !isEllipsis { offset += 1 }
        append(.word, from: start)
    }

    private mutating func scanMark() {
        let start = offset
        let pair = (byte(), byte(1))
        offset += isEllipsis ? 3 : pair == (0x2D, 0x3E) || pair == (0x3A, 0x3A) ? 2 : 1
        append(.mark, from: start)
    }

    private mutating func scanLineComment() {
        let start = offset
        while offset < bytes.count, byte() != 0x0A { offset += 1 }
        append(.comment, from: start)
    }

    private mutating func skipBlockComment() {
        while offset < bytes.count, !(byte() == 0x2A && byte(1) == 0x2F) {
            if byte() == 0x0A { line += 1 }
            offset += 1
        }
        offset += 2
    }

    // A slash begins a regular expression where no operand is before it.
    private var isRegex: Bool {
        guard byte(1) > 0x20, let last = tokens.last else { return false }
        guard last.kind == .mark, last.text != ")", last.text != "]", last.text != "}" else { return false }
        return bytes[(offset + 1)...].prefix { $0 != 0x0A }.contains(0x2F)
    }

    private mutating func skipRegex() {
        offset += 1
        while offset < bytes.count, byte() != 0x2F { offset += byte() == 0x5C ? 2 : 1 }
        offset += 1
    }

    private mutating func scanPounds() {
        let pounds = bytes[offset...].prefix { $0 == 0x23 }.count
        if byte(pounds) == 0x22 {
            offset += pounds
            scanLiteral(pounds: pounds)
        } else if byte(pounds) == 0x2F {
            offset += pounds + 1
            while offset < bytes.count, !(byte() == 0x2F && byte(1) == 0x23) { offset += 1 }
            offset += 1 + pounds
        } else {
            offset += pounds
        }
    }

    private mutating func scanLiteral(pounds: Int) {
        let first = line
        let quotes = byte(1) == 0x22 && byte(2) == 0x22 ? 3 : 1
        let end =
            [UInt8](repeating: 0x22, count: quotes)
            + [UInt8](repeating: 0x23, count: pounds)
        let escape = [0x5C] + [UInt8](repeating: 0x23, count: pounds)
        var text: [UInt8] = []
        offset += quotes
        while offset < bytes.count, !starts(with: end) {
            if starts(with: escape) {
                offset += escape.count
                if byte() == 0x28 {
                    text += Array("…".utf8)
                    scan(untilParenthesis: true)
                    continue
                }
            } else if byte() == 0x0A {
                // A literal in one line that does not end is no code.
                if quotes == 1 { break }
                line += 1
            }
            text.append(byte())
            offset += 1
        }
        offset += end.count
        let literal = String(decoding: text, as: UTF8.self)
        tokens.append(Token(kind: .literal, text: literal, line: first, isSpaced: true))
    }
}
