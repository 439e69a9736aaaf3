internal import Properties

/// Reads an XML property list.
///
/// Foundation has a parser of its own. Measured on Linux, it shifts a date that does not exist, makes nothing of data that
/// is not base64, ignores the content behind `</plist>`, reads `1e999` as infinity, keeps `\r\n` in text, makes dictionaries
/// whose keys a file can make collide, and its errors have no column.
struct XMLPlistReader {
    /// What is not wrong enough to be an error.
    private(set) var warnings = BoundedList<PlistFault>(limit: ListLimit.warnings)
    var cursor: XMLCursor
    private let source: PropertySource
    private let limits: PlistLimits
    private var valuesLeft: Int
    private var depth = 0

    init(_ bytes: [UInt8], source: PropertySource, limits: PlistLimits) throws(PlistFault) {
        cursor = XMLCursor(bytes)
        self.source = source
        self.limits = limits
        valuesLeft = limits.values
        if let offset = cursor.firstInvalidUTF8 { throw PlistFault(.invalidUTF8, at: offset) }
    }

    /// Reads the whole document.
    mutating func document() throws(PlistFault) -> PropertyNode {
        try cursor.skipDeclaration()
        try cursor.skipMisc()
        try cursor.skipDoctype()
        try cursor.skipMisc()
        guard !cursor.isAtEnd else { throw PlistFault(.noElements, at: cursor.offset) }
        let root = try tag(around: nil)
        guard root.element == .plist, root.form != .end else {
            throw PlistFault(.noPlistElement(root.name), at: root.offset)
        }
        guard root.form == .start else { throw PlistFault(.noValue, at: root.offset) }
        let first = try tag(around: root)
        guard first.form != .end else {
            guard first.element == .plist else { throw wrongEnd(first, of: root) }
            throw PlistFault(.noValue, at: root.offset)
        }
        let node = try node(first)
        let last = try tag(around: root)
        guard last.form == .end else { throw PlistFault(.secondValue, at: last.offset, related: first.offset) }
        guard last.element == .plist else { throw wrongEnd(last, of: root) }
        try cursor.skipMisc()
        guard cursor.isAtEnd else { throw PlistFault(.textAfterDocument, at: cursor.offset) }
        return node
    }

    /// Reads the next tag, behind comments.
    private mutating func tag(around open: XMLTag?) throws(PlistFault) -> XMLTag {
        try cursor.skipMisc()
        guard !cursor.isAtEnd else {
            guard let open else { throw PlistFault(.noElements, at: cursor.offset) }
            throw PlistFault(.unclosedElement(open.name), at: cursor.offset, related: open.offset)
        }
        guard cursor.byte == UInt8(ascii: "<") else {
            throw PlistFault(.textBetween(open?.name ?? "plist"), at: cursor.offset)
        }
        if cursor.isAt("<!") { throw PlistFault(.declaration, at: cursor.offset) }
        return try cursor.tag()
    }

    private func wrongEnd(_ end: XMLTag, of open: XMLTag) -> PlistFault {
        PlistFault(.wrongEndTag(found: end.name, open: open.name), at: end.offset, related: open.offset)
    }

    // Two functions a level, `node` and `array` or `dictionary`, with little on the stack: the depth limit rests on it.
    private mutating func node(_ tag: XMLTag) throws(PlistFault) -> PropertyNode {
        guard valuesLeft > 0 else { throw PlistFault(.tooManyValues(limits.values), at: tag.offset) }
        valuesLeft -= 1
        let value: PropertyValue
        switch tag.element {
        case .dict: value = .table(try dictionary(tag))
        case .array: value = .array(try array(tag))
        default: value = try leaf(tag)
        }
        return PropertyNode(value, origin: PropertyOrigin(source: source, place: UInt32(clamping: tag.offset)))
    }

    private mutating func leaf(_ tag: XMLTag) throws(PlistFault) -> PropertyValue {
        switch tag.element {
        case .string: return .string(try text(tag))
        case .true, .false:
            try expectEmpty(tag)
            return .bool(tag.element == .true)
        case .integer: return try XMLNumber.integer(plainText(tag), at: tag.offset)
        case .real: return try XMLNumber.real(plainText(tag), at: tag.offset)
        case .date: return .dateTime(try XMLDate.read(plainText(tag), at: tag.offset))
        case .data: return .data(try data(tag))
        case .key: throw PlistFault(.keyInArray, at: tag.offset)
        case .plist: throw PlistFault(.plistInside, at: tag.offset)
        case .dict, .array, nil: throw PlistFault(.unknownElement(tag.name), at: tag.offset)
        }
    }

    private mutating func array(_ open: XMLTag) throws(PlistFault) -> [PropertyNode] {
        var nodes: [PropertyNode] = []
        guard try enter(open) else { return nodes }
        while let tag = try element(in: open) { nodes.append(try node(tag)) }
        depth -= 1
        return nodes
    }

    private mutating func dictionary(_ open: XMLTag) throws(PlistFault) -> PropertyTable {
        var entries = PlistEntries()
        guard try enter(open) else { return entries.table }
        while let keyTag = try element(in: open) {
            let key = try self.key(keyTag, in: entries)
            let valueTag = try tag(around: open)
            guard valueTag.form != .end, valueTag.element != .key else {
                throw PlistFault(.valueMissing(key.rawValue), at: keyTag.offset)
            }
            entries.set(try node(valueTag), for: key, at: UInt32(clamping: keyTag.offset))
        }
        depth -= 1
        return entries.table
    }

    /// Goes down into an array or a dictionary; false where it has no content, not even an empty one.
    private mutating func enter(_ open: XMLTag) throws(PlistFault) -> Bool {
        guard depth < limits.depth else { throw PlistFault(.tooDeep(limits.depth), at: open.offset) }
        guard open.form == .start else { return false }
        depth += 1
        return true
    }

    /// The next tag in an array or a dictionary, or nil at its end tag.
    private mutating func element(in open: XMLTag) throws(PlistFault) -> XMLTag? {
        let tag = try tag(around: open)
        guard tag.form == .end else { return tag }
        guard tag.element == open.element else { throw wrongEnd(tag, of: open) }
        return nil
    }

    private mutating func key(_ tag: XMLTag, in entries: PlistEntries) throws(PlistFault) -> PropertyKey {
        guard tag.element == .key else { throw PlistFault(.keyMissing(tag.name), at: tag.offset) }
        let key = PropertyKey(try text(tag))
        if let first = entries.place(of: key) {
            warnings.append(PlistFault(.keyAgain(key.rawValue), at: tag.offset, related: Int(first)))
        }
        return key
    }
}
