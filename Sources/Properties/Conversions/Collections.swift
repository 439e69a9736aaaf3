extension Array: NestedConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "an array" }

    /// Reads an array whose elements are each exactly an `Element`; an array of bytes also from data.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        try self.init(property: node, in: .reading)
    }

    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyMismatch) {
        switch node.value {
        case .array(let nodes):
            self = []
            reserveCapacity(nodes.count)
            var mismatches = MismatchCollector(context)
            for (index, element) in nodes.enumerated() {
                let value = try mismatches.collect { () throws(PropertyMismatch) in
                    try Conversion.part(element, at: "[\(index)]", to: Element.self, in: context)
                }
                if let value { append(value) }
            }
            try mismatches.throwCollected()
        case .data(let bytes):
            // A cast would make an empty array of any type, and numbers of bytes where anything is asked for.
            guard Element.self == UInt8.self, let same = bytes as? Self else { fallthrough }
            self = same
        default:
            throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
    }
}

extension Dictionary: PropertyConvertible where Key: CodingKeyRepresentable {
    /// What messages call the type.
    public static var propertyTypeName: String { "a table" }

    /// Reads a table whose keys are each a `Key` of their own and whose values are each exactly a `Value`.
    ///
    /// A null has no entry, unless `Value` is an optional.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        try self.init(property: node, in: .reading)
    }
}

extension Dictionary: NestedConvertible where Key: CodingKeyRepresentable {
    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyMismatch) {
        guard case .table(let table) = node.value else {
            throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
        try context.checkKeys(of: table, in: node)
        self = [:]
        reserveCapacity(table.count)
        var mismatches = MismatchCollector(context)
        for entry in table {
            // A null says that there is no value; only a dictionary of optionals keeps its key.
            if case .null = entry.node.value, !(Value.self is any OptionalType.Type) { continue }
            _ = try mismatches.collect { () throws(PropertyMismatch) in
                let key = try DictionaryKey.convert(entry, to: Key.self)
                let value = try Conversion.part(entry.node, at: ".\(entry.key)", to: Value.self, in: context)
                guard updateValue(value, forKey: key) == nil else {
                    throw DictionaryKey.duplicate(entry, key, in: table)
                }
            }
        }
        try mismatches.throwCollected()
    }
}

extension Optional: NestedConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { TypeName.noun(Wrapped.self) }

    /// Reads a null as nil, and all else as the wrapped type.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        try self.init(property: node, in: .reading)
    }

    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyMismatch) {
        if case .null = node.value {
            self = nil
        } else {
            self = try Conversion.convert(node, to: Wrapped.self, in: context)
        }
    }
}

private protocol OptionalType {}
extension Optional: OptionalType {}

/// Turns the keys of tables into those of dictionaries.
enum DictionaryKey {
    /// The key of an entry as a dictionary's.
    static func convert<Key: CodingKeyRepresentable>(
        _ entry: PropertyTable.Entry, to type: Key.Type
    ) throws(PropertyMismatch) -> Key {
        if type == String.self { return Basic.same(entry.key, as: type) }
        guard let key = Key(codingKey: TextKey(entry.key)) else {
            throw PropertyMismatch(.notParsable, entry.node, expected: "a key that is \(TypeName.noun(type))")
                .inside(".\(entry.key)")
        }
        return key
    }

    /// The error about an entry whose key is equal to the key of an earlier entry.
    static func duplicate<Key: CodingKeyRepresentable & Equatable>(
        _ entry: PropertyTable.Entry, _ key: Key, in table: PropertyTable
    ) -> PropertyMismatch {
        let first = table.first { Key(codingKey: TextKey($0.key)) == key }
        // Swift's strings are equal where their bytes differ by Unicode normalisation; the store's keys are not.
        let expected =
            Key.self == String.self
            ? "keys that differ by more than Unicode normalisation"
            : "a key that is not equal to '\(first?.key ?? "")' as \(Key.self)"
        return PropertyMismatch(.wrongType, entry.node, expected: expected, remedy: "Remove one of the two")
            .inside(".\(entry.key)")
    }

    /// A key of a table, which is a number too where its text is one.
    private struct TextKey: CodingKey {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }
        init(_ text: String) { stringValue = text }
        init(stringValue: String) { self.init(stringValue) }
        init(intValue: Int) { self.init(String(intValue)) }
    }
}
