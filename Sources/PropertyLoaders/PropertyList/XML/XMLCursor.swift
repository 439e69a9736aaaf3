internal import Properties

/// A position in an XML document, and the functions that advance it.
struct XMLCursor {
    let bytes: [UInt8]
    var offset: Int

    /// Creates a cursor at the first character of a document, which must be valid UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = UTF8Text.start(of: bytes)
    }

    var isAtEnd: Bool { offset >= bytes.count }

    /// The byte at the cursor, or 0 at the end. XML does not allow a 0 in a document.
    var byte: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// Returns whether a text is at the cursor.
    func isAt(_ text: StaticString) -> Bool {
        guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { unsafe $0.elementsEqual(bytes[offset..<offset + $0.count]) }
    }

    /// Advances over a text if it is at the cursor. Returns whether it was.
    mutating func skip(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    /// Advances over all bytes that a predicate accepts.
    mutating func skip(while isIncluded: (UInt8) -> Bool) {
        while offset < bytes.count, isIncluded(bytes[offset]) { offset += 1 }
    }

    /// Advances over white space (XML 1.0, section 2.3).
    ///
    /// - Returns: whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        skip { $0.isWhitespace }
        return offset > start
    }

    /// Advances past the next occurrence of a text. If there is none, returns false and does not advance.
    mutating func skip(behind text: StaticString) -> Bool {
        let start = offset
        while !isAtEnd {
            if skip(text) { return true }
            offset += 1
        }
        offset = start
        return false
    }

    /// Reads text in quotes of either kind and returns its range. If there is none, returns nil and does not advance.
    mutating func literal() -> Range<Int>? {
        let start = offset + 1
        guard byte.isQuote, let end = bytes[start...].firstIndex(of: byte) else { return nil }
        offset = end + 1
        return start..<end
    }

    /// Reads a name without validating it; it may be empty. Callers compare it with known names or quote it in a
    /// message.
    mutating func name() -> String {
        let start = offset
        skip { $0.isWordPart || "-:.$".utf8.contains($0) || $0 >= 0x80 }
        return text(start..<offset)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

// MARK: - Tags

/// A tag of an XML property list.
struct XMLTag {
    /// The elements that property lists have.
    enum Element: String {
        case plist, dict, array, key, string, integer, real, date, data, `true`, `false`

        // A name that is longer than those of all elements is not compared, because that takes quadratic time for a
        // long run of combining characters.
        fileprivate init?(named name: String) {
            guard name.utf8.count < 8 else { return nil }
            self.init(rawValue: name)
        }
    }

    enum Form {
        case start
        case end
        /// An empty-element tag, `<name/>`.
        case empty
    }

    let form: Form
    let name: String
    /// The element of that name, or nil if property lists have no such element.
    let element: Element?
    /// The offset of the `<`.
    let offset: Int
}

extension XMLCursor {
    /// Reads a tag. The caller must have checked that a `<` is at the cursor.
    mutating func tag() throws(Diagnostic) -> XMLTag {
        let start = offset
        offset += 1
        let isEnd = skip("/")
        let name = name()
        guard !name.isEmpty else { throw invalidTag(at: start) }
        let element = XMLTag.Element(named: name)
        skipSpace()
        // The only attribute of the format is the `version` of `<plist>`.
        while !isEnd, !isAtEnd, byte != .greaterThan, byte != .slash {
            try skipAttribute(of: element, tag: start)
            skipSpace()
        }
        let isEmpty = !isEnd && skip("/")
        guard skip(">") else { throw invalidTag(at: start) }
        return XMLTag(form: isEnd ? .end : isEmpty ? .empty : .start, name: name, element: element, offset: start)
    }

    private mutating func skipAttribute(of element: XMLTag.Element?, tag: Int) throws(Diagnostic) {
        let start = offset
        let attribute = name()
        guard !attribute.isEmpty else { throw invalidTag(at: tag) }
        guard element == .plist, attribute.isSame(as: "version") else {
            throw Diagnostic(
                "there is an attribute \(PrintableText.quoted(attribute))", at: start,
                expected: "only the `version` of `<plist>`", remedy: "Remove it")
        }
        skipSpace()
        let isValue = skip("=")
        skipSpace()
        // XML 1.0, section 3.1: the value of an attribute must not contain a `<`.
        guard isValue, let value = literal(), !bytes[value].contains(.lessThan) else { throw invalidTag(at: tag) }
    }

    private func invalidTag(at start: Int) -> Diagnostic {
        if isAtEnd { return Diagnostic("the tag that starts here has no end", at: start, expected: "`>`") }
        return Diagnostic(
            "this is not a valid tag", at: start, expected: "`<name>`, `</name>` or `<name/>`",
            remedy: "Write a `<` that is text as `&lt;`")
    }
}
