internal import Properties

/// A place in the bytes of an XML document, and what can be read from there.
struct XMLCursor {
    let bytes: [UInt8]
    var offset: Int

    /// Makes a cursor at the start of a document in valid UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = UTF8Text.start(of: bytes)
    }

    var isAtEnd: Bool { offset >= bytes.count }

    /// The byte here; 0, which no XML has, at the end.
    var byte: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// Whether the text goes on with this.
    func isAt(_ text: StaticString) -> Bool {
        guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { unsafe $0.elementsEqual(bytes[offset..<offset + $0.count]) }
    }

    /// Steps over this where the text goes on with it.
    mutating func skip(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    /// Steps over bytes of one kind.
    mutating func skip(while isIncluded: (UInt8) -> Bool) {
        while offset < bytes.count, isIncluded(bytes[offset]) { offset += 1 }
    }

    /// Steps over white space (XML 1.0, 2.3).
    ///
    /// - Returns: whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        skip { $0.isWhitespace }
        return offset > start
    }

    /// Steps behind the next place where this stands; false, at the same place, where it stands nowhere.
    mutating func skip(behind text: StaticString) -> Bool {
        let start = offset
        while !isAtEnd {
            if skip(text) { return true }
            offset += 1
        }
        offset = start
        return false
    }

    /// Steps over text in quotes of either kind, and returns where it is; nil, at the same place, where there is none.
    mutating func literal() -> Range<Int>? {
        let start = offset + 1
        guard byte.isQuote, let end = bytes[start...].firstIndex(of: byte) else { return nil }
        offset = end + 1
        return start..<end
    }

    /// Reads what can stand in the name of an element; in a message, a name ends where something else begins.
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

        // A long name is not compared: that takes time quadratic in a run of combining characters.
        fileprivate init?(named name: String) {
            guard name.utf8.count < 8 else { return nil }
            self.init(rawValue: name)
        }
    }

    enum Form {
        case start
        case end
        /// `<name/>`.
        case empty
    }

    let form: Form
    let name: String
    /// The element that the name stands for; nil for a name that property lists do not have.
    let element: Element?
    /// Where its `<` stands.
    let offset: Int
}

extension XMLCursor {
    /// Reads the tag here, whose `<` is sure.
    mutating func tag() throws(Diagnostic) -> XMLTag {
        let start = offset
        offset += 1
        let isEnd = skip("/")
        let name = name()
        guard !name.isEmpty else { throw invalidTag(at: start) }
        let element = XMLTag.Element(named: name)
        skipSpace()
        // The version of the plist element is the one attribute that the format has.
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
                expected: "none but the `version` of `<plist>`", remedy: "Remove it")
        }
        skipSpace()
        let isValue = skip("=")
        skipSpace()
        // XML 1.0, 3.1: no `<` in a value.
        guard isValue, let value = literal(), !bytes[value].contains(.lessThan) else { throw invalidTag(at: tag) }
    }

    private func invalidTag(at start: Int) -> Diagnostic {
        if isAtEnd { return Diagnostic("the tag that starts here has no end", at: start, expected: "`>`") }
        return Diagnostic(
            "this is no tag", at: start, expected: "`<name>`, `</name>` or `<name/>`",
            remedy: "Write a `<` that is text as `&lt;`")
    }
}
