internal import Properties

/// Reads the shape of an XML property list, and refuses what the parser would misread.
///
/// What the parser (swift-corelibs-foundation's) does with it, measured: a date that does not exist is shifted, data that is
/// no base64 becomes empty, the content behind `</plist>` is not looked at, `1e999` is infinite, and its errors have a
/// line and no column.
struct XMLPlistScanner {
    /// What is not wrong enough to be an error.
    private(set) var warnings: [PlistFault] = []
    var cursor: XMLCursor
    private let limits: PlistLimits
    private var valuesLeft: Int
    private var depth = 0

    init(_ bytes: [UInt8], limits: PlistLimits) throws(PlistFault) {
        cursor = XMLCursor(bytes)
        self.limits = limits
        valuesLeft = limits.values
        if let offset = cursor.firstInvalidUTF8 { throw PlistFault(.invalidUTF8, at: offset) }
    }

    /// Reads the whole document.
    mutating func document() throws(PlistFault) -> PlistShape {
        try cursor.skipMisc()
        try cursor.skipDoctype()
        try cursor.skipMisc()
        guard !cursor.isAtEnd else { throw PlistFault(.noElements, at: cursor.offset) }
        let root = try tag(around: nil)
        guard root.name == "plist", root.form != .end else {
            throw PlistFault(.noPlistElement(root.name), at: root.offset)
        }
        guard root.form == .start else { throw PlistFault(.noValue, at: root.offset) }
        let first = try tag(around: root)
        guard first.form != .end else {
            guard first.name == "plist" else { throw wrongEnd(first, of: root) }
            throw PlistFault(.noValue, at: root.offset)
        }
        let shape = try value(first)
        let last = try tag(around: root)
        guard last.form == .end else { throw PlistFault(.secondValue, at: last.offset, related: first.offset) }
        guard last.name == "plist" else { throw wrongEnd(last, of: root) }
        try cursor.skipMisc()
        guard cursor.isAtEnd else { throw PlistFault(.textAfterDocument, at: cursor.offset) }
        return shape
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

    // Two functions a level, `value` and `array` or `dictionary`, with little on the stack: the depth limit rests on it.
    private mutating func value(_ tag: XMLTag) throws(PlistFault) -> PlistShape {
        guard valuesLeft > 0 else { throw PlistFault(.tooManyValues(limits.values), at: tag.offset) }
        valuesLeft -= 1
        let place = UInt32(clamping: tag.offset)
        switch tag.name {
        case "dict": return PlistShape(kind: .dictionary(try dictionary(tag)), place: place)
        case "array": return PlistShape(kind: .array(try array(tag)), place: place)
        default: return PlistShape(kind: try leaf(tag), place: place)
        }
    }

    private mutating func leaf(_ tag: XMLTag) throws(PlistFault) -> PlistShape.Kind {
        switch tag.name {
        case "string":
            try skipText(tag)
            return .string
        case "true", "false":
            try expectEmpty(tag)
            return .bool
        case "integer":
            try XMLNumber.checkInteger(plainText(tag), at: tag.offset)
            return .integer
        case "real":
            try XMLNumber.checkReal(plainText(tag), at: tag.offset)
            return .real
        case "date": return .date(try XMLDate.read(plainText(tag), at: tag.offset))
        case "data":
            try checkBase64(tag)
            return .data
        case "key": throw PlistFault(.keyInArray, at: tag.offset)
        case "plist": throw PlistFault(.plistInside, at: tag.offset)
        default: throw PlistFault(.unknownElement(tag.name), at: tag.offset)
        }
    }

    private mutating func array(_ open: XMLTag) throws(PlistFault) -> [PlistShape] {
        var shapes: [PlistShape] = []
        guard try enter(open) else { return shapes }
        while let tag = try element(in: open) { shapes.append(try value(tag)) }
        depth -= 1
        return shapes
    }

    private mutating func dictionary(_ open: XMLTag) throws(PlistFault) -> [PlistShape.Entry] {
        var keys = PlistKeys()
        guard try enter(open) else { return keys.entries }
        while let keyTag = try element(in: open) {
            let key = try self.key(keyTag, in: keys)
            let valueTag = try tag(around: open)
            guard valueTag.form != .end, valueTag.name != "key" else {
                throw PlistFault(.valueMissing(key), at: keyTag.offset)
            }
            keys.set(
                PlistShape.Entry(key: key, keyPlace: UInt32(clamping: keyTag.offset), value: try value(valueTag)))
        }
        depth -= 1
        return keys.entries
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
        guard tag.name == open.name else { throw wrongEnd(tag, of: open) }
        return nil
    }

    private mutating func key(_ tag: XMLTag, in keys: PlistKeys) throws(PlistFault) -> String {
        guard tag.name == "key" else { throw PlistFault(.keyMissing(tag.name), at: tag.offset) }
        let key = try text(tag)
        try check(key, in: keys, at: tag.offset)
        return key
    }

    private mutating func check(_ key: String, in keys: PlistKeys, at offset: Int) throws(PlistFault) {
        switch keys.place(of: key) {
        case .new: break
        case .again(let first): warnings.append(PlistFault(.keyAgain(key), at: offset, related: Int(first)))
        case .lookAlike(let first): throw PlistFault(.lookAlikeKeys(key), at: offset, related: Int(first))
        }
    }
}
