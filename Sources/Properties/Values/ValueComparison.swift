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
            one.count == other.count && zip(one, other).allSatisfy { isSame($0.value, $1.value) }
        case (.table(let one), .table(let other)): isSame(one, other)
        case (.opaque(let one), .opaque(let other)): areEqual(one.value, other.value)
        default: false
        }
    }

    /// Whether two Swift values are equal. Values that are not `Equatable` are compared by reflection.
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

/// Compares two Swift values, by reflection if they are not `Equatable`.
///
/// Closures are treated as equal, since they cannot be compared. Two different actors are never equal, since reading
/// their state from outside would be a data race.
struct ReflectedComparison {
    // The maximum depth of nested values. Each level needs less than 2 KiB of stack.
    private static let depthLimit = 64

    // The number of values that may still be visited, which bounds the time. A value that is referenced twice at each
    // of 64 levels would otherwise cause 2^64 visits.
    private var valuesLeft = 100_000
    private var depth = 0
    // The pairs of instances whose comparison has begun. A pair that occurs again is shared or part of a cycle, and is
    // not compared again.
    private var instances: Set<[ObjectIdentifier]> = []

    /// Returns whether two values are equal. Values beyond the limits of depth and time are treated as different.
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
        // Instances with a custom mirror are treated as different, because the mirror may omit the part that changed.
        return !(one is any CustomReflectable) && areFieldsEqual(one, other)
    }

    private mutating func areFieldsEqual(_ one: Any, _ other: Any) -> Bool {
        var (mirror, otherMirror) = (Mirror(reflecting: one), Mirror(reflecting: other))
        // In reflection, cases without a payload differ only in their descriptions.
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

    // Returns the value inside one of the types whose mirrors contain masked or shortened text.
    private static func propertyValue(_ value: Any) -> PropertyValue? {
        switch value {
        case let value as PropertyValue: value
        case let node as PropertyNode: node.value
        case let table as PropertyTable: .table(table)
        default: nil
        }
    }
}

/// A container of the standard library whose elements are compared one by one.
private protocol AnyContainer {
    /// Returns the pairs of elements to compare, or nil if the other container has another number of elements or other
    /// keys.
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
