extension PropertyValue {
    /// Whether two values have the same kind and content, regardless of their origins.
    package static func isSame(_ one: PropertyValue, _ other: PropertyValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.bigInteger(let one), .bigInteger(let other)): one == other
        // Compares the bits, so that the two zeros differ. All NaNs are the same, since few formats tell them apart.
        case (.double(let one), .double(let other)): one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
        case (.string(let one), .string(let other)), (.text(let one), .text(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.data(let one), .data(let other)): one == other
        case (.dateTime(let one), .dateTime(let other)): one == other
        case (.array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy(PropertyNode.isSame)
        case (.table(let one), .table(let other)): isSame(one, other)
        case (.opaque(let one), .opaque(let other)): areEqual(one.value, other.value)
        default: false
        }
    }

    /// Whether two Swift values are equal. Values that are not `Equatable` are equal only if they are the same instance
    /// of a class.
    static func areEqual(_ one: Any, _ other: Any) -> Bool {
        if let one = one as? any Equatable { return isEqual(one, other) }
        guard type(of: one) is AnyClass, type(of: other) is AnyClass else { return false }
        return one as AnyObject === other as AnyObject
    }

    private static func isEqual<E: Equatable>(_ one: E, _ other: Any) -> Bool {
        (other as? E).map { $0 == one } ?? false
    }

    private static func isSame(_ one: PropertyTable, _ other: PropertyTable) -> Bool {
        guard one.count == other.count else { return false }
        let nodes = Dictionary(other.map { (PropertyKey($0.key), $0.node) }) { $1 }
        return one.allSatisfy { entry in
            nodes[PropertyKey(entry.key)].map { PropertyNode.isSame(entry.node, $0) } ?? false
        }
    }
}

extension PropertyNode {
    /// Whether two nodes have the same value and, if a placeholder has inserted it, the same text for a read as a string.
    static func isSame(_ one: PropertyNode, _ other: PropertyNode) -> Bool {
        guard PropertyValue.isSame(one.value, other.value) else { return false }
        if one.insertedText == nil, other.insertedText == nil { return true }
        return (one.insertedText ?? one.value.plainText ?? "")
            .isSame(as: other.insertedText ?? other.value.plainText ?? "")
    }

    /// Whether two nodes are the same, where a missing one is null.
    static func isSame(_ one: PropertyNode?, or other: PropertyNode?) -> Bool {
        isSame(one ?? PropertyNode(nil), other ?? PropertyNode(nil))
    }
}
