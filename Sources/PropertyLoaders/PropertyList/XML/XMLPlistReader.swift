internal import Properties

/// A reader of XML property lists.
///
/// It replaces Foundation's parser, which on Linux (Swift 6.3) reads a date that does not exist as another date, reads
/// invalid base64 as empty data, ignores text after `</plist>`, reads `1e999` as infinity, keeps `\r\n`, and reports no
/// columns. A hostile file can also slow it down with keys whose hashes in Foundation collide.
struct XMLPlistReader {
    /// A warning for each duplicate key.
    private(set) var warnings = BoundedList<Diagnostic>(limit: ListLimit.warnings)
    var cursor: XMLCursor
    private let source: PropertySource
    private let limits: PlistLimits
    private var valuesLeft: Int
    private var depth = 0

    /// Creates a reader of bytes, which must be valid UTF-8.
    init(_ bytes: [UInt8], source: PropertySource, limits: PlistLimits) {
        cursor = XMLCursor(bytes)
        self.source = source
        self.limits = limits
        valuesLeft = limits.values
    }

    /// Reads the whole document.
    mutating func document() throws(Diagnostic) -> PropertyNode {
        try cursor.skipDeclaration()
        try cursor.skipMisc()
        try cursor.skipDoctype()
        try cursor.skipMisc()
        let root = try tag(in: nil)
        guard root.element == .plist, root.form != .end else {
            throw Diagnostic(
                "the document begins with \(PrintableText.quoted("<\(root.name)>"))", at: root.offset,
                expected: "`<plist>`",
                remedy: root.element == nil
                    ? "Check that this is the right file" : "Put the value into `<plist version=\"1.0\">`")
        }
        guard root.form == .start, let first = try element(in: root) else {
            throw Diagnostic("the `<plist>` is empty", at: root.offset, expected: "a value in it, such as `<dict/>`")
        }
        let node = try node(first)
        if let second = try element(in: root) {
            throw Diagnostic(
                "there is a second value in `<plist>`", at: second.offset, expected: "`</plist>`",
                remedy: "Put both into one `<dict>` or `<array>`", note: ("the first one begins at", first.offset))
        }
        try cursor.skipMisc()
        guard cursor.isAtEnd else {
            throw Diagnostic(
                "there is more text after `</plist>`", at: cursor.offset, expected: "the end of the file",
                remedy: "Remove it")
        }
        return node
    }

    // Each level of nesting takes two calls: `node`, and `array` or `dictionary`. The depth limit relies on the small
    // stack frames of these functions.
    private mutating func node(_ tag: XMLTag) throws(Diagnostic) -> PropertyNode {
        guard valuesLeft > 0 else { throw limits.tooManyValues(at: tag.offset) }
        valuesLeft -= 1
        let value: PropertyValue
        switch tag.element {
        case .dict: value = .table(try dictionary(tag))
        case .array: value = .array(try array(tag))
        default: value = try leaf(tag)
        }
        return PropertyNode(value, origin: PropertyOrigin(source: source, place: UInt32(clamping: tag.offset)))
    }

    private mutating func leaf(_ tag: XMLTag) throws(Diagnostic) -> PropertyValue {
        switch tag.element {
        case .string: .string(try text(tag))
        case .true, .false: try boolean(tag)
        case .integer: try integer(tag)
        case .real: try real(tag)
        case .date: .dateTime(try date(tag))
        case .data: .data(try data(tag))
        case .key, .plist, .dict, .array, nil: throw notAValue(tag)
        }
    }

    private func notAValue(_ tag: XMLTag) -> Diagnostic {
        let (problem, remedy) =
            switch tag.element {
            case .key: ("there is a `<key>` where a value must be", "Keys belong in `<dict>`")
            case .plist: ("there is a `<plist>` inside of another element", "Remove its two tags")
            default:
                (
                    "\(PrintableText.quoted("<\(tag.name)>")) is not an element of property lists",
                    "Names are case-sensitive"
                )
            }
        return Diagnostic(
            problem, at: tag.offset,
            expected: "`<dict>`, `<array>`, `<string>`, `<integer>`, `<real>`, `<true/>`, `<false/>`, `<date>` or "
                + "`<data>`",
            remedy: remedy)
    }
}

// MARK: - Arrays and dictionaries

extension XMLPlistReader {
    private mutating func array(_ open: XMLTag) throws(Diagnostic) -> [PropertyNode] {
        var nodes: [PropertyNode] = []
        guard try enter(open) else { return nodes }
        while let tag = try element(in: open) { nodes.append(try node(tag)) }
        depth -= 1
        return nodes
    }

    private mutating func dictionary(_ open: XMLTag) throws(Diagnostic) -> PropertyTable {
        var entries = PlistEntries()
        guard try enter(open) else { return entries.table }
        while let keyTag = try element(in: open) {
            let key = try key(keyTag, in: entries)
            let valueTag = try tag(in: open)
            guard valueTag.form != .end, valueTag.element != .key else {
                throw Diagnostic(
                    "the key \(PrintableText.quoted(key.rawValue)) has no value", at: keyTag.offset,
                    expected: "a value after `</key>`", remedy: "Write one, or remove the key")
            }
            entries.set(try node(valueTag), for: key, at: UInt32(clamping: keyTag.offset))
        }
        depth -= 1
        return entries.table
    }

    /// Enters an array or a dictionary, which increases the depth.
    ///
    /// Returns false, and does not enter, for an empty-element tag such as `<dict/>`, which has no end tag.
    private mutating func enter(_ open: XMLTag) throws(Diagnostic) -> Bool {
        guard depth < limits.depth else { throw limits.tooDeep(at: open.offset) }
        guard open.form == .start else { return false }
        depth += 1
        return true
    }

    private mutating func key(_ tag: XMLTag, in entries: PlistEntries) throws(Diagnostic) -> PropertyKey {
        guard tag.element == .key else {
            throw Diagnostic(
                "\(PrintableText.quoted("<\(tag.name)>")) has no key", at: tag.offset, expected: "`<key>` or `</dict>`",
                remedy: "Write its `<key>` before it")
        }
        let key = PropertyKey(try text(tag))
        if let first = entries.place(of: key) {
            warnings.append(
                Diagnostic(
                    "the key \(PrintableText.quoted(key.rawValue)) is defined twice, and this value counts",
                    at: tag.offset,
                    remedy: "Remove one of the two", note: ("the first one is at", Int(first)), kind: .duplicate))
        }
        return key
    }
}

// MARK: - Tags

extension XMLPlistReader {
    /// Reads the next start tag in an element, or returns nil at the end tag of the element.
    private mutating func element(in open: XMLTag) throws(Diagnostic) -> XMLTag? {
        let tag = try tag(in: open)
        guard tag.form == .end else { return tag }
        guard tag.element == open.element else { throw wrongEnd(tag, of: open) }
        return nil
    }

    /// Reads the next tag after white space and comments.
    private mutating func tag(in open: XMLTag?) throws(Diagnostic) -> XMLTag {
        try cursor.skipMisc()
        guard !cursor.isAtEnd else {
            if let open { throw unclosed(open) }
            throw Diagnostic("the document ends before its first element", at: cursor.offset, expected: "`<plist>`")
        }
        guard cursor.byte == .lessThan else {
            throw Diagnostic(
                "there is text between the elements of `<\(open?.name ?? "plist")>`", at: cursor.offset,
                expected: "an element", remedy: "Put it into `<string>`, or remove it")
        }
        if cursor.isAt("<!") { throw invalidMarkup() }
        return try cursor.tag()
    }

    func unclosed(_ open: XMLTag) -> Diagnostic {
        Diagnostic(
            "the document ends inside `<\(open.name)>`", at: cursor.offset, expected: "`</\(open.name)>`",
            note: ("it begins at", open.offset))
    }

    func wrongEnd(_ end: XMLTag, of open: XMLTag) -> Diagnostic {
        Diagnostic(
            "\(PrintableText.quoted("</\(end.name)>")) does not close `<\(open.name)>`", at: end.offset,
            expected: "`</\(open.name)>`", note: ("it begins at", open.offset))
    }

    func invalidMarkup() -> Diagnostic {
        Diagnostic(
            "this `<!` does not start a comment", at: cursor.offset, expected: "an element",
            remedy: "Remove it, or write `<!-- … -->`")
    }
}
