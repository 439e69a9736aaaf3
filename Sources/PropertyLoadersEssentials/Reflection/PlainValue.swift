extension PropertyValue {
    /// Creates the value of a Swift value that reads back as exactly the same value, or returns nil.
    init?(plain object: Any) {
        switch object {
        case let value as PropertyValue: self = value
        // A source contains these as text or as a floating-point number, which may differ from the value.
        case is Character, is Duration, is Date, is URL, is Decimal: return nil
        case let value as any SourceConvertible: self = value.sourceValue
        default: return nil
        }
    }
}

// MARK: - Containers of values

// Protocols are used here instead of casts: a cast such as `as? [String: Any]` also succeeds for dictionaries with
// other types of keys and for bridged classes.

/// An optional of any type.
protocol AnyOptional {
    var content: Any? { get }
}

extension Optional: AnyOptional {
    var content: Any? { map { $0 } }
}

/// An array of any element type.
protocol AnyArray {
    var elements: [Any] { get }
    /// Whether the type of the elements shows that they are plain values.
    static var hasPlainElements: Bool { get }
}

extension Array: AnyArray {
    var elements: [Any] { self }
    static var hasPlainElements: Bool { Element.self is any SourceConvertible.Type }
}

/// A dictionary of any type.
protocol AnyDictionary {
    /// The entries, or nil if a key is not a string. They are sorted by the bytes of their keys, because the order of a
    /// dictionary differs from run to run.
    var entries: [(label: String, value: Any)]? { get }
}

extension Dictionary: AnyDictionary {
    var entries: [(label: String, value: Any)]? {
        guard Key.self == String.self else { return nil }
        var entries: [(label: String, value: Any)] = []
        for (key, value) in self {
            guard let label = key as? String else { return nil }
            entries.append((label, value))
        }
        return entries.sorted(byName: \.label)
    }
}
