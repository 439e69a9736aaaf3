internal import Foundation

/// A conversion of the values that Foundation read from a property list.
///
/// In XML, a value gets the position that the scanner found. A value that differs from its text is an error, since
/// Foundation reads a date that does not exist as another date, and leaves out invalid base64.
struct PlistValues {
    /// A warning for each duplicate key.
    private(set) var warnings = BoundedList<Diagnostic>(limit: ListLimit.warnings)
    let source: PropertySource
    /// The elements of an XML property list; empty for a binary property list, which has no positions.
    let items: [XMLScanner.Item]
    /// The bytes of the property list.
    let text: [UInt8]

    /// Converts the object that Foundation made of an item.
    mutating func node(_ object: Any, _ index: Int) throws(Diagnostic) -> PropertyNode {
        let value: PropertyValue
        switch object {
        case let members as [String: Any]: value = .table(try table(members, index))
        case let objects as [Any]: value = .array(try array(objects, index))
        default: value = try leaf(object, item(index))
        }
        return PropertyNode(value, origin: PropertyOrigin(source: source, place: place(index)))
    }

    private func item(_ index: Int) -> XMLScanner.Item? { index < items.count ? items[index] : nil }

    private func place(_ index: Int) -> UInt32 {
        item(index).flatMap { UInt32(exactly: $0.offset) } ?? PropertyOrigin.nowhere
    }

    private mutating func array(_ objects: [Any], _ index: Int) throws(Diagnostic) -> [PropertyNode] {
        var nodes: [PropertyNode] = []
        var child = index + 1
        for object in objects {
            nodes.append(try node(object, child))
            child = item(child)?.end ?? child
        }
        return nodes
    }

    private mutating func table(_ members: [String: Any], _ index: Int) throws(Diagnostic) -> PropertyTable {
        // The keys, and the last item of each. A binary property list has no order.
        var keys = items.isEmpty ? members.keys.sorted { $0.precedes($1) } : []
        var last: [PropertyKey: Int] = [:]
        var child = index + 1
        while let item = item(child), child < items[index].end {
            let content = text[item.content]
            let hasMarkup = content.contains { $0 == .ampersand || $0 == .lessThan }
            let key = try hasMarkup ? FoundationPlist.string(content) ?? "" : String(decoding: content, as: UTF8.self)
            if let first = last.updateValue(child, forKey: PropertyKey(key)) {
                warnings.append(Self.duplicate(key, item, items[first]))
            } else {
                keys.append(key)
            }
            child = self.item(child + 1)?.end ?? child + 1
        }
        var table: [PropertyTable.Entry] = []
        for key in keys {
            // Foundation keeps one of two keys that differ only in how their characters are composed, reads `&#;` as
            // U+0000, and drops a byte order mark at the start of a key.
            guard let member = members[key], keys.count == members.count, items.isEmpty || !key.utf8.contains(0) else {
                throw Diagnostic(
                    "Foundation misreads a key of this dictionary", at: item(index)?.offset,
                    expected: "keys without U+0000 that differ in more than how their characters are composed",
                    kind: .unsupported)
            }
            let child = last[PropertyKey(key)] ?? 0
            table.append(.init(key: key, keyPlace: place(child), node: try node(member, child + 1)))
        }
        return PropertyTable(entries: table)
    }

    private static func duplicate(_ key: String, _ item: XMLScanner.Item, _ first: XMLScanner.Item) -> Diagnostic {
        Diagnostic(
            "the key \(PrintableText.quoted(key)) is defined twice, and this value counts", at: item.offset,
            remedy: "Remove one of the two", note: ("the first one is at", first.offset), kind: .duplicate)
    }
}

// MARK: - Plain values

extension PlistValues {
    private func leaf(_ object: Any, _ item: XMLScanner.Item?) throws(Diagnostic) -> PropertyValue {
        let content = item.map { text[$0.content] }
        switch object {
        case let text as String where item?.element != .key:
            // Foundation reads `&#;` as U+0000.
            if content == nil || !text.utf8.contains(0) { return .string(text) }
        case let data as Data:
            let base64 = content?.filter { !$0.isWhitespace }
            if base64.map(data.base64EncodedString().utf8.elementsEqual) ?? true { return .data([UInt8](data)) }
        case let date as Date:
            let text = content.map { String(decoding: $0, as: UTF8.self) }
            let time = text.map { PropertyDateTime($0) } ?? PropertyDateTime(date)
            if let time, text == nil || Date(time) == date && time.time?.second != 60 { return .dateTime(time) }
        case let number as NSNumber:
            // Infinity is written with an `n`. A real number without one has overflowed.
            let isNamed = content?.contains { $0 | 0x20 == UInt8(ascii: "n") } ?? true
            if let value = number.propertyValue, number.doubleValue.isFinite || isNamed { return value }
        default: break
        }
        throw misread(item)
    }

    /// Returns the error for a value that Foundation reads as a different value.
    private func misread(_ item: XMLScanner.Item?) -> Diagnostic {
        let quoted = PrintableText.quoted(String(decoding: text[item?.content ?? 0..<0], as: UTF8.self))
        let (problem, expected): (MessageText, MessageText) =
            switch item?.element {
            case nil: ("a date is out of range", "one in the years 0 to 9999")
            case .date: ("\(quoted) does not exist", "a day of the calendar and a time from 00:00:00 to 23:59:59")
            case .data:
                ("the base64 text is not valid", "groups of four characters, padded with `=`, and unused bits of zero")
            case .real: ("\(quoted) is out of range", "a number that 64 bits hold")
            case .key: ("there is a `<key>` where a value must be", "a value")
            default: ("Foundation misreads \(quoted)", "a text without U+0000, or other keys than `CF$UID`")
            }
        return Diagnostic(problem, at: item?.offset, expected: expected, kind: .unsupported)
    }
}

extension NSNumber {
    /// The value with the type that it was created with. Casts do not tell types apart: `as? Bool` accepts the number 1,
    /// and `as? Int` accepts `true`.
    fileprivate var propertyValue: PropertyValue? {
        // Foundation has a single instance for each boolean. Its type code is not reliable: on some platforms it is the
        // code of a small integer.
        if self === NSNumber(value: true) { return .bool(true) }
        if self === NSNumber(value: false) { return .bool(false) }
        // Safe: the type code is a C string, which has at least one byte.
        switch unsafe UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): return .double(doubleValue)
        default: return Int64(stringValue).map { .integer($0) } ?? UInt64(stringValue).map { .unsigned($0) }
        }
    }
}
