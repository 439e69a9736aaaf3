extension Array: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "an array" }

    /// Reads an array whose elements are each exactly an `Element`; an array of bytes also from data.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        switch node.value {
        case .array(let nodes):
            self = []
            reserveCapacity(nodes.count)
            for (index, element) in nodes.enumerated() {
                do throws(PropertyMismatch) {
                    append(try Conversion.convert(element, to: Element.self))
                } catch {
                    throw error.inside("[\(index)]")
                }
            }
        case .data(let bytes):
            guard let same = bytes as? Self else { fallthrough }
            self = same
        default:
            throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
    }
}

extension Dictionary: PropertyConvertible where Key == String {
    /// What messages call the type.
    public static var propertyTypeName: String { "a table" }

    /// Reads a table whose values are each exactly a `Value`; a null has no entry, unless `Value` is an optional.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        guard case .table(let table) = node.value else {
            throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
        self = [:]
        reserveCapacity(table.count)
        for entry in table {
            // A null says that there is no value; only a dictionary of optionals keeps its key.
            if case .null = entry.node.value, !(Value.self is any OptionalType.Type) { continue }
            do throws(PropertyMismatch) {
                let old = updateValue(try Conversion.convert(entry.node, to: Value.self), forKey: entry.key)
                // Swift's strings are equal where their bytes differ by Unicode normalisation; the store's keys are not.
                guard old == nil else {
                    throw PropertyMismatch(
                        .wrongType, entry.node, expected: "keys that differ by more than Unicode normalisation")
                }
            } catch {
                throw error.inside(".\(entry.key)")
            }
        }
    }
}

extension Optional: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { TypeName.noun(Wrapped.self) }

    /// Reads a null as nil, and all else as the wrapped type.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        if case .null = node.value {
            self = nil
        } else {
            self = try Conversion.convert(node, to: Wrapped.self)
        }
    }
}

private protocol OptionalType {}
extension Optional: OptionalType {}
