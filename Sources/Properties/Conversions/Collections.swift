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
