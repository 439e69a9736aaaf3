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

    private mutating func value(_ tag: XMLTag) throws(PlistFault) -> PlistShape {
        guard valuesLeft > 0 else { throw PlistFault(.tooManyValues(limits.values), at: tag.offset) }
        valuesLeft -= 1
        return PlistShape(kind: try kind(tag), place: UInt32(clamping: tag.offset))
    }

    private mutating func kind(_ tag: XMLTag) throws(PlistFault) -> PlistShape.Kind {
        switch tag.name {
        case "dict": return .dictionary(try nested(tag) { scanner throws(PlistFault) in try scanner.dictionary(tag) })
        case "array": return .array(try nested(tag) { scanner throws(PlistFault) in try scanner.array(tag) })
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

    // Without a body that the empty form has not either.
    private mutating func nested<Element>(
        _ tag: XMLTag, _ body: (inout Self) throws(PlistFault) -> [Element]
    ) throws(PlistFault) -> [Element] {
        guard depth < limits.depth else { throw PlistFault(.tooDeep(limits.depth), at: tag.offset) }
        guard tag.form == .start else { return [] }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func array(_ open: XMLTag) throws(PlistFault) -> [PlistShape] {
        var shapes: [PlistShape] = []
        while true {
            let tag = try tag(around: open)
            if tag.form == .end {
                guard tag.name == open.name else { throw wrongEnd(tag, of: open) }
                return shapes
            }
            shapes.append(try value(tag))
        }
    }

    private mutating func dictionary(_ open: XMLTag) throws(PlistFault) -> [PlistShape.Entry] {
        var keys = PlistKeys()
        while true {
            let keyTag = try tag(around: open)
            if keyTag.form == .end {
                guard keyTag.name == open.name else { throw wrongEnd(keyTag, of: open) }
                return keys.entries
            }
            guard keyTag.name == "key" else { throw PlistFault(.keyMissing(keyTag.name), at: keyTag.offset) }
            let key = try text(keyTag)
            try check(key, in: keys, at: keyTag.offset)
            let valueTag = try tag(around: open)
            guard valueTag.form != .end, valueTag.name != "key" else {
                throw PlistFault(.valueMissing(key), at: keyTag.offset)
            }
            keys.set(
                PlistShape.Entry(key: key, keyPlace: UInt32(clamping: keyTag.offset), value: try value(valueTag)))
        }
    }

    private mutating func check(_ key: String, in keys: PlistKeys, at offset: Int) throws(PlistFault) {
        switch keys.place(of: key) {
        case .new: break
        case .again(let first): warnings.append(PlistFault(.keyAgain(key), at: offset, related: Int(first)))
        case .lookAlike(let first): throw PlistFault(.lookAlikeKeys(key), at: offset, related: Int(first))
        }
    }
}
