extension Array: NestedConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "an array" }

    /// Reads an array, or a list in text of an untyped source: `a,b` or a JSON array. Each element is converted like a
    /// single value of the type `Element`. An array of bytes can also be read from data.
    public init(property node: PropertyNode) throws(PropertyError) {
        try self.init(property: node, in: ConversionContext())
    }

    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyError) {
        if let list = try ListElements(of: node, in: context) {
            self = try Self.convert(list, in: list.isText ? context.insideText : context)
            return
        }
        switch node.value {
        case .null, .table: throw Self.mismatch(.wrongType, node)
        case .data(let bytes):
            // Only an array of bytes can be read from data. The cast alone would also accept any array type for empty
            // data, and `[Any]` for all data.
            guard Element.self == UInt8.self, let same = bytes as? Self else { fallthrough }
            self = same
        default:
            throw Self.mismatch(.wrongType, node, remedy: "Put it into an array")
        }
    }
}

extension Array {
    private static func convert(
        _ list: ListElements, in context: ConversionContext
    ) throws(PropertyError) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(list.nodes.count)
        var mismatches = MismatchCollector()
        for (index, node) in list.nodes.enumerated() {
            let element = mismatches.collect { () throws(PropertyError) in
                do throws(PropertyError) {
                    return try Conversion.inner(node, to: Element.self, in: context)
                } catch {
                    throw error.inElement(index, ofText: list.isText)
                }
            }
            if let element { elements.append(element) }
        }
        try mismatches.throwCollected()
        return elements
    }
}

extension Dictionary: PropertyConvertible where Key: CodingKeyRepresentable {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a table" }

    /// Reads a table. Each value is converted like a single value of the type `Value`.
    ///
    /// Two keys that are equal as `Key` are an error. A key with a null is left out, unless `Value` is an optional.
    public init(property node: PropertyNode) throws(PropertyError) {
        try self.init(property: node, in: ConversionContext())
    }
}

extension Dictionary: NestedConvertible where Key: CodingKeyRepresentable {
    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyError) {
        let node = context.isInsideText ? node : try node.withTextAsTable()
        guard case .table(let table) = node.value else {
            throw context.noTable(node.single)
        }
        try context.checkKeys(of: table, in: node)
        self = [:]
        reserveCapacity(table.count)
        var mismatches = MismatchCollector()
        for entry in table.entries {
            _ = mismatches.collect { () throws(PropertyError) in
                let key = try DictionaryKey.convert(entry, to: Key.self)
                // A null means that there is no value. Only a dictionary of optionals keeps the key.
                if entry.node.isNull, !(Value.self is any OptionalValue.Type) { return }
                let value = try Conversion.part(entry.node, ".\(entry.key)", to: Value.self, in: context)
                guard updateValue(value, forKey: key) == nil else {
                    throw DictionaryKey.duplicate(entry, key, in: table)
                }
            }
        }
        try mismatches.throwCollected()
    }
}

extension Set: NestedConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "an array" }

    /// Reads the elements of an array, or of a list in text, each of them once.
    public init(property node: PropertyNode) throws(PropertyError) {
        try self.init(property: node, in: ConversionContext())
    }

    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyError) {
        let elements = try [Element](property: node, in: context)
        let slow = (elements as? [String])?.firstIndex { !$0.comparesInLinearTime }
        if let slow {
            throw PropertyError(.limit, node, expected: "elements that compare in linear time").inside("[\(slow)]")
        }
        self.init(elements)
    }
}

extension Optional: NestedConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { TypeName.noun(Wrapped.self) }

    /// Reads a null as nil, and any other value as the wrapped type.
    public init(property node: PropertyNode) throws(PropertyError) {
        try self.init(property: node, in: ConversionContext())
    }

    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyError) {
        self = node.isNull ? nil : try Conversion.convert(node, to: Wrapped.self, in: context)
    }
}

/// Converts the keys of tables to the keys of dictionaries.
enum DictionaryKey {
    /// Returns the key of an entry as a key of a dictionary.
    static func convert<Key: CodingKeyRepresentable>(
        _ entry: PropertyTable.Entry, to type: Key.Type
    ) throws(PropertyError) -> Key {
        if type == String.self { return BasicType.uncheckedCast(entry.key, to: type) }
        guard let key = key(entry.key, as: type) else {
            let expected = "a key that is \(TypeName.noun(type))"
            let nearest = TypeName.nearestCase(of: type, to: ValueText.short(.string(entry.key)))
            throw PropertyError(
                .notParsable, entry.node, expected: expected,
                remedy: nearest.map { "Did you mean \($0)?" } ?? "Rename the key"
            ).inside(".\(entry.key)")
        }
        return key
    }

    private static func key<Key: CodingKeyRepresentable>(_ text: String, as type: Key.Type) -> Key? {
        Key(codingKey: PathKey(keyOfTable: text))
            ?? (type as? any CaseInsensitiveValue.Type)?.value(withLettersOf: text) as? Key
    }

    /// Returns the error about an entry whose key is equal to the key of an earlier entry.
    static func duplicate<Key: CodingKeyRepresentable & Equatable>(
        _ entry: PropertyTable.Entry, _ key: Key, in table: PropertyTable
    ) -> PropertyError {
        let first = table.first { self.key($0.key, as: Key.self) == key }
        // The store compares keys by bytes, but Swift compares strings after Unicode normalisation.
        let expected =
            Key.self == String.self
            ? "keys that differ by more than Unicode normalisation"
            : "a key that is not equal to '\(first?.key ?? "")' as \(Key.self)"
        return PropertyError(.wrongType, entry.node, expected: expected, remedy: "Remove one of the two")
            .inside(".\(entry.key)")
    }
}
