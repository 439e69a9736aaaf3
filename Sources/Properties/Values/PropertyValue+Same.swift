extension PropertyValue {
    /// Whether two values are of one kind and say the same, wherever they stand.
    static func isSame(_ one: PropertyValue, _ other: PropertyValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.bigInteger(let one), .bigInteger(let other)): one == other
        // By bits, since a NaN that stays is no change.
        case (.double(let one), .double(let other)): one.bitPattern == other.bitPattern
        case (.string(let one), .string(let other)), (.text(let one), .text(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.data(let one), .data(let other)): one == other
        case (.dateTime(let one), .dateTime(let other)): one == other
        case (.array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy { isSame($0.value, $1.value) }
        case (.table(let one), .table(let other)): isSame(one, other)
        case (.opaque(let one), .opaque(let other)): areEqual(one.value, other.value)
        default: false
        }
    }

    /// Whether two Swift values are equal; those that are not `Equatable` are compared by their stored properties.
    static func areEqual(_ one: Any, _ other: Any) -> Bool {
        var comparison = ReflectedComparison()
        return comparison.areEqual(one, other)
    }

    private static func isSame(_ one: PropertyTable, _ other: PropertyTable) -> Bool {
        guard one.count == other.count else { return false }
        let values = Dictionary(other.map { (PropertyKey($0.key), $0.node.value) }) { $1 }
        return one.allSatisfy { entry in
            values[PropertyKey(entry.key)].map { isSame(entry.node.value, $0) } ?? false
        }
    }
}
