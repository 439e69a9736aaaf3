/// Finds the lines of a configuration text that may show a secret. A line may show one if a name that is usual for
/// secrets stands in it, in the statement that it continues, or in the path of its table.
///
/// It reads TOML, JSON, `.env`, XML property lists and statements that are nested by indentation, also if they are not
/// valid. In doubt, it reports the line.
struct SecretLines {
    /// The lines that may show a secret, as ranges of bytes without their line endings, in ascending order.
    private(set) var ranges: [Range<Int>] = []

    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool
    /// The open brackets: whether each belongs to a secret, and the nearest name before it.
    private var brackets: [(isSecret: Bool, name: String)] = []
    private var secretBrackets = 0
    /// The statements around the line by their indentation, as in YAML, and whether each is in a secret.
    private var outline: [(indentation: Int, name: String, isSecret: Bool)] = []
    /// The name before the first `=` or `:` of the line, outside of brackets, and whether it is that of a secret.
    private var statement: (name: String, isSecret: Bool)?
    /// Whether the line has `=` or `:` outside of strings.
    private var hasSeparator = false
    /// The path of the TOML table, and whether it has the name of a secret.
    private var table = ""
    private var isInSecretTable = false
    /// The end of the string over several lines that is open, or nil.
    private var openString: [UInt8]?
    /// The keys before the next `=` or `:`, joined with dots.
    private var name = ""
    /// The name of the value that is being read.
    private var valueName = ""
    /// The name before `=` or `:`, with the nearest name around it.
    private var fullName: String {
        let nearest = brackets.last?.name ?? ""
        let outer = nearest.isEmpty ? outline.last?.name ?? table : nearest
        // Of a very long name, the end is enough. Each separator would read all of it.
        return outer.isEmpty ? name : "\(String(decoding: outer.utf8.suffix(Self.longName), as: UTF8.self)).\(name)"
    }
    /// The number of bytes up to which a name is read as one.
    private static let longName = 200
    /// Whether the value that is being read belongs to a secret, and whether it has begun.
    private var (isSecretValue, hasValue) = (false, false)
    /// Whether the string of a secret had no end in the last line, or its value had not begun.
    private var isContinued = false
    /// Whether the line has the name of a secret.
    private var hasSecretName = false

    /// Finds the lines.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - isSecret: whether a name is that of a secret.
    init(_ bytes: [UInt8], isSecret: @escaping (String) -> Bool) {
        (self.bytes, self.isSecret) = (bytes, isSecret)
        let isXML = bytes.first { !$0.isWhitespace && $0 < 0x80 } == .lessThan
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
            hasSecretName = false
            let isContinuation = isXML ? readXML(start..<end) : read(start..<end)
            if isContinuation || hasSecretName || isInside { ranges.append(start..<end) }
            start = end + 1
        }
    }

    /// Whether the line is in a table or in brackets that belong to a secret, or is indented below its name.
    private var isInside: Bool { isInSecretTable || secretBrackets > 0 || outline.last?.isSecret == true }

    /// Whether a byte is in one of the lines.
    func contains(_ offset: Int) -> Bool { Self.contains(offset, in: ranges) }

    static func contains(_ offset: Int, in ranges: [Range<Int>]) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < offset { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= offset
    }
}

// MARK: - Lines

extension SecretLines {
    /// Reads a line.
    ///
    /// - Returns: whether it may belong to the secret value of an earlier line.
    private mutating func read(_ line: Range<Int>) -> Bool {
        var index = line.lowerBound
        (statement, hasSeparator) = (nil, false)
        if openString == nil {
            if readHeader(line) { return false }
            if brackets.isEmpty, let indentation = indentation(of: line) {
                while let last = outline.last, last.indentation >= indentation { outline.removeLast() }
            }
            if beginsStatement(line) {
                name = ""
                if brackets.isEmpty || hasValue { (isContinued, isSecretValue) = (false, false) }
            }
        }
        let isContinuation = isInside || isContinued || isSecretValue
        while index < line.upperBound { index = readToken(at: index, line.upperBound) }
        // The separator is missing, or follows on the next line.
        if !hasSeparator, openString == nil, !name.isEmpty, isSecret(fullName) { isContinued = true }
        if brackets.isEmpty, openString == nil {
            if let statement, let indentation = indentation(of: line) {
                let isSecret = statement.isSecret || outline.last?.isSecret == true
                outline.append((indentation, statement.name, isSecret))
            }
            isContinued = isContinued || isSecretValue && !hasValue
            (name, isSecretValue) = ("", isContinued)
        }
        return isContinuation
    }

    /// Returns the number of bytes before the first word of a line, with the dashes of YAML's lists. Nil if the line has no
    /// word.
    private func indentation(of line: Range<Int>) -> Int? {
        var rest = bytes[line].drop(while: \.isWhitespace)
        while rest.first == .minus, rest.dropFirst().first.map(\.isWhitespace) != false {
            rest = rest.dropFirst().drop(while: \.isWhitespace)
        }
        return rest.isEmpty || rest.first == .hash ? nil : rest.startIndex - line.lowerBound
    }

    /// Reads the header of a TOML table, which ends all that was open.
    private mutating func readHeader(_ line: Range<Int>) -> Bool {
        let text = bytes[line].drop(while: \.isWhitespace)
        guard text.first == .openBracket, let end = text.firstIndex(of: .closeBracket) else { return false }
        let inner = text[text.startIndex..<end].drop { $0 == .openBracket }
        let rest = text[end...].drop { $0 == .closeBracket || $0.isWhitespace }
        // Inside of an open value, it may also be an array of one element.
        let isCertain = brackets.isEmpty && !isContinued
        guard rest.isEmpty || rest.first == .hash,
            isCertain || inner.allSatisfy({ $0.isNamePart || $0.isQuote || $0 == .space || $0 == .backslash })
        else { return false }
        let path = Self.unescaped(inner).filter { !"\"' ".contains($0) }
        isInSecretTable = isSecret(path) || !isCertain && isInSecretTable
        hasSecretName = isInSecretTable
        if isCertain { (table, isSecretValue, name, outline) = (path, false, "", []) }
        return isCertain
    }

    /// Whether a line begins with a name, and then `=` or `:`.
    private func beginsStatement(_ line: Range<Int>) -> Bool {
        let rest = bytes[line].drop { $0.isNamePart || $0.isQuote || $0.isWhitespace }
        guard rest.first == .equals || rest.first == .colon,
            bytes[line].first(where: { !$0.isWhitespace }) != rest.first
        else { return false }
        // Base64 may end with `=`.
        return rest.first == .colon || rest.contains { $0 != .equals && $0 != .colon && !$0.isWhitespace }
    }

    /// Reads a part of a line, and returns the index after it.
    private mutating func readToken(at index: Int, _ end: Int) -> Int {
        if let delimiter = openString { return readString(from: index, end, delimiter) }
        let byte = bytes[index]
        switch byte {
        case .quote, .apostrophe:
            let three = [byte, byte, byte]
            if bytes[index..<end].starts(with: three) {
                openString = three
                return index + 3
            }
            return readString(at: index, end)
        case .hash:
            note(String(decoding: bytes[index..<end], as: UTF8.self))
            return end
        case .equals, .colon:
            hasSeparator = true
            (isSecretValue, hasValue) = (isSecretValue || isSecret(fullName), false)
            hasSecretName = hasSecretName || isSecretValue
            if statement == nil, brackets.isEmpty { statement = (name, isSecretValue) }
            (valueName, name) = (name, "")
        case .openBracket, .openBrace: open()
        case .closeBracket, .closeBrace: close()
        case .comma: (name, isSecretValue) = ("", false)
        case _ where byte.isNamePart:
            let word = bytes[index..<end].prefix(while: \.isNamePart)
            add(String(decoding: word, as: UTF8.self))
            return word.endIndex
        case _ where byte.isWhitespace: break
        default: hasValue = true
        }
        return index + 1
    }

    /// Adds a word, which is a part of a name or of a value.
    private mutating func add(_ word: String) {
        hasValue = true
        if word.utf8.first.map(\.isDigit) != false { return }
        // A longer name is text, whose words count one by one.
        name = name.isEmpty || name.utf8.count > Self.longName ? word : "\(name).\(word)"
        note(name)
    }

    /// Notes that the line has a name, or a text with names.
    private mutating func note(_ name: String) { hasSecretName = hasSecretName || isSecret(name) }

    /// Reads a string that ends on its line, or should.
    private mutating func readString(at start: Int, _ end: Int) -> Int {
        var index = start + 1
        while index < end, bytes[index] != bytes[start] {
            index += bytes[index] == .backslash && bytes[start] == .quote ? 2 : 1
        }
        add(Self.unescaped(bytes[start + 1..<min(index, end)]))
        if index >= end { isContinued = isContinued || isSecretValue }
        return min(index + 1, end)
    }

    /// Reads a string over several lines to its end, or to the end of the line.
    private mutating func readString(from start: Int, _ end: Int, _ delimiter: [UInt8]) -> Int {
        hasValue = true
        var index = start
        while index < end, !bytes[index..<end].starts(with: delimiter) {
            index += bytes[index] == .backslash && delimiter[0] == .quote ? 2 : 1
        }
        note(Self.unescaped(bytes[start..<min(index, end)]))
        guard index < end else { return end }
        openString = nil
        return index + delimiter.count
    }

    private mutating func open() {
        brackets.append((isSecretValue, valueName.isEmpty ? brackets.last?.name ?? "" : valueName))
        if isSecretValue { secretBrackets += 1 }
        (name, valueName, isSecretValue) = ("", "", false)
    }

    private mutating func close() {
        if brackets.popLast()?.isSecret == true { secretBrackets -= 1 }
        (name, isSecretValue, hasValue) = ("", false, true)
    }
}

// MARK: - Escapes

extension SecretLines {
    /// Returns a text with the escapes of JSON and TOML, and the numeric references of XML, replaced. An escape of a control
    /// character is left out, and one that is not valid stays.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(where: { $0 == .backslash || $0 == .ampersand }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text: [UInt8] = [], rest = bytes
        while let byte = rest.popFirst() {
            guard byte == .backslash || byte == .ampersand else {
                text.append(byte)
                continue
            }
            if let scalar = byte == .backslash ? escape(&rest) : entity(&rest) {
                text += String(scalar).utf8
            } else if byte == .ampersand {
                text.append(byte)
            } else if let next = rest.popFirst(), !"nrtbfe".utf8.contains(next) {
                text.append(next)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Removes the rest of an escape with hexadecimal digits, and returns its scalar. Nil if it is none.
    private static func escape(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        let counts: [UInt8: Int] = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8]
        guard let count = rest.first.flatMap({ counts[$0] }) else { return nil }
        let digits = rest.dropFirst().prefix(count)
        guard digits.count == count, let value = number(digits, radix: 16) else { return nil }
        rest = rest.dropFirst(count + 1)
        return Unicode.Scalar(value)
    }

    /// Removes the rest of a numeric character reference, and returns its scalar. Nil if it is none.
    private static func entity(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        let reference = rest.prefix(12).prefix { $0 != .semicolon }
        guard reference.first == .hash, rest.dropFirst(reference.count).first == .semicolon else { return nil }
        let isHex = reference.dropFirst().first == UInt8(ascii: "x")
        guard let value = number(reference.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10) else { return nil }
        rest = rest.dropFirst(reference.count + 1)
        return Unicode.Scalar(value)
    }

    private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> UInt32? {
        UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}

// MARK: - Property lists

extension SecretLines {
    /// Reads a line of XML, where a value follows the element of its key.
    ///
    /// - Returns: whether it may belong to the secret value of an earlier line.
    private mutating func readXML(_ line: Range<Int>) -> Bool {
        var rest = bytes[line], hasComment = false
        let beginsWithKey = rest.drop(while: \.isWhitespace).starts(with: Array("<key>".utf8))
        let isContinuation = isInside || isContinued && !beginsWithKey
        // Such as a line of a comment.
        if !rest.contains(.lessThan) { note(Self.unescaped(rest)) }
        while let start = rest.firstIndex(of: .lessThan) {
            rest = rest[start...].dropFirst()
            if rest.starts(with: Array("key>".utf8)) {
                let key = rest.dropFirst(4).prefix { $0 != .lessThan }
                isContinued = isSecret(Self.unescaped(key))
                hasSecretName = hasSecretName || isContinued
            } else if rest.starts(with: Array("!--".utf8)) {
                // The rest of the line has all further comments.
                if !hasComment { note(Self.unescaped(rest.dropFirst(3))) }
                hasComment = true
            } else if rest.starts(with: Array("dict>".utf8)) || rest.starts(with: Array("array>".utf8)) {
                isSecretValue = isContinued
                open()
                isContinued = false
            } else if rest.starts(with: Array("/dict".utf8)) || rest.starts(with: Array("/array".utf8)) {
                close()
                isContinued = false
            }
        }
        return isContinuation
    }
}

extension UInt8 {
    /// Whether it may stand in a name without quotes. Bytes that are not ASCII may.
    fileprivate var isNamePart: Bool {
        isLetter || isDigit || self >= 0x80 || self == .underscore || self == .minus || self == .dot
    }
}
