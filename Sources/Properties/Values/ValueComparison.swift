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

/// Compares two Swift values that need not be `Equatable`, by the stored properties that reflection shows.
///
/// Closures count as equal, since nothing can compare them. So do two references to one instance. Actors are otherwise
/// not equal: reading their state from outside would be a race.
struct ReflectedComparison {
    // A level takes less than 2 KiB of stack.
    private static let depthLimit = 64

    // Bounds the time: a value that is shared at each of 64 levels stands for 2^64 of them.
    private var valuesLeft = 100_000
    private var depth = 0
    // The pairs of instances that have been, or are being, compared. One that comes again is part of a circle or shared.
    private var instances: Set<[ObjectIdentifier]> = []

    /// Whether two values are equal; past a limit they are not.
    mutating func areEqual(_ one: Any, _ other: Any) -> Bool {
        guard valuesLeft > 0, depth < Self.depthLimit else { return false }
        valuesLeft -= 1
        depth += 1
        defer { depth -= 1 }
        if let one = one as? any Equatable { return Self.isEqual(one, other) }
        guard type(of: one) == type(of: other) else { return false }
        if let one = Self.propertyValue(one), let other = Self.propertyValue(other) {
            return PropertyValue.isSame(one, other)
        }
        if let container = one as? any AnyContainer {
            guard let pairs = container.pairs(with: other) else { return false }
            return pairs.allSatisfy { areEqual($0, $1) }
        }
        if let one = one as? any Any.Type { return one == other as? any Any.Type }
        if type(of: one) is AnyClass {
            if (one as AnyObject) === (other as AnyObject) { return true }
            let pair = [ObjectIdentifier(one as AnyObject), ObjectIdentifier(other as AnyObject)]
            guard !(one is any Actor), instances.insert(pair).inserted else { return !(one is any Actor) }
        }
        // What a type shows in a mirror of its own may leave out what changed.
        return !(one is any CustomReflectable) && areFieldsEqual(one, other)
    }

    private mutating func areFieldsEqual(_ one: Any, _ other: Any) -> Bool {
        var (mirror, otherMirror) = (Mirror(reflecting: one), Mirror(reflecting: other))
        // Nothing but its text tells a case without a payload from another one.
        if mirror.displayStyle == .enum, mirror.children.isEmpty, otherMirror.children.isEmpty {
            return String(describing: one) == String(describing: other)
        }
        while true {
            guard mirror.children.count == otherMirror.children.count else { return false }
            for (field, otherField) in zip(mirror.children, otherMirror.children) {
                guard field.label == otherField.label, areEqual(field.value, otherField.value) else { return false }
            }
            guard let next = mirror.superclassMirror, let otherNext = otherMirror.superclassMirror else { return true }
            (mirror, otherMirror) = (next, otherNext)
        }
    }

    private static func isEqual<E: Equatable>(_ one: E, _ other: Any) -> Bool {
        (other as? E).map { $0 == one } ?? false
    }

    // The mirrors of these show a value masked or cut.
    private static func propertyValue(_ value: Any) -> PropertyValue? {
        switch value {
        case let value as PropertyValue: value
        case let node as PropertyNode: node.value
        case let table as PropertyTable: .table(table)
        default: nil
        }
    }
}

/// A container of values, which has a mirror of its own.
private protocol AnyContainer {
    /// The values to compare with those of another one of this type; nil where the two differ in their number or keys.
    func pairs(with other: Any) -> [(Any, Any)]?
}

extension Optional: AnyContainer {
    func pairs(with other: Any) -> [(Any, Any)]? {
        switch (self, other as? Self) {
        case (.none, .some(.none)): []
        case (.some(let one), .some(.some(let other))): [(one, other)]
        default: nil
        }
    }
}

extension Array: AnyContainer {
    func pairs(with other: Any) -> [(Any, Any)]? {
        guard let other = other as? Self, count == other.count else { return nil }
        return zip(self, other).map { ($0, $1) }
    }
}

extension Dictionary: AnyContainer {
    func pairs(with other: Any) -> [(Any, Any)]? {
        guard let other = other as? Self, count == other.count else { return nil }
        var pairs: [(Any, Any)] = []
        for (key, value) in self {
            guard let otherValue = other[key] else { return nil }
            pairs.append((value, otherValue))
        }
        return pairs
    }
}
