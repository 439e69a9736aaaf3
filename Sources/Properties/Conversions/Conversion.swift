/// Turns nodes into Swift values: the one way from the tree to a type.
package enum Conversion {
    /// The value that a node holds, as exactly the type that was asked for.
    ///
    /// In this order: the stored type itself, our own conversions, `RawRepresentable`, `Decodable`.
    package static func convert<T>(_ node: PropertyNode, to type: T.Type) throws(PropertyMismatch) -> T {
        if let basic = basic(node.value, as: type) { return basic }
        if case .opaque(let opaque) = node.value, let same = opaque.value as? T { return same }
        if type == Any.self, let any = any(node) as? T { return any }
        if let convertible = type as? any PropertyConvertible.Type {
            return try cast(make(convertible, of: node), node)
        }
        if let raw = type as? any RawRepresentable.Type {
            return try cast(makeRaw(raw, of: node), node)
        }
        if let decodable = type as? any Decodable.Type {
            return try cast(NodeDecoder.decode(decodable, from: node), node)
        }
        throw PropertyMismatch(.wrongType, node, expected: TypeName.noun(type))
    }

    // The types that nearly every read asks for, with no look at conformances.
    @inline(__always)
    private static func basic<T>(_ value: PropertyValue, as type: T.Type) -> T? {
        switch value {
        case .string(let string) where type == String.self: string as? T
        case .integer(let integer) where type == Int.self: Int(exactly: integer) as? T
        case .bool(let bool) where type == Bool.self: bool as? T
        case .double(let double) where type == Double.self: double as? T
        default: nil
        }
    }

    private static func make<P: PropertyConvertible>(
        _ type: P.Type, of node: PropertyNode
    ) throws(PropertyMismatch) -> any PropertyConvertible {
        try P(property: node)
    }

    private static func makeRaw<R: RawRepresentable>(
        _ type: R.Type, of node: PropertyNode
    ) throws(PropertyMismatch) -> Any {
        let raw = try convert(node, to: R.RawValue.self)
        guard let value = R(rawValue: raw) else {
            throw PropertyMismatch(.notACase, node, expected: TypeName.noun(type))
        }
        return value
    }

    // Cannot fail, since the value was made as the type; a trap would still be the wrong answer if it did.
    private static func cast<T>(_ value: Any, _ node: PropertyNode) throws(PropertyMismatch) -> T {
        guard let value = value as? T else {
            throw PropertyMismatch(.wrongType, node, expected: TypeName.noun(T.self))
        }
        return value
    }
}

// MARK: - Any

/// What values without a type of the standard library are to a reader who asks for `Any`.
///
/// `Properties` knows no Foundation. The module that does declares the conformance of `NaturalValue`.
package protocol NaturalValues: SendableMetatype {
    /// `Date` for an instant; the local kinds stay what they are.
    static func any(_ dateTime: PropertyDateTime) -> Any
    /// `Data`.
    static func any(_ bytes: [UInt8]) -> Any
}

/// Conforms to `NaturalValues` where a module with Foundation is linked.
package enum NaturalValue {}

extension Conversion {
    private static let natural = (NaturalValue.self as Any.Type) as? any NaturalValues.Type

    /// The value as the Swift type that is natural for it.
    package static func any(_ node: PropertyNode) -> Any {
        switch node.value {
        case .null: Any?.none as Any
        case .bool(let bool): bool
        case .integer(let integer): Int(exactly: integer) ?? integer
        case .unsigned(let integer): integer
        case .bigInteger(let digits): wide(digits)
        case .double(let double): double
        case .string(let string), .text(let string): string
        case .data(let bytes): natural.map { $0.any(bytes) } ?? bytes as Any
        case .dateTime(let dateTime): natural.map { $0.any(dateTime) } ?? dateTime as Any
        case .array(let nodes): nodes.map { any($0) }
        case .table(let table): dictionary(table)
        case .opaque(let opaque): opaque.value
        }
    }

    private static func wide(_ digits: String) -> Any {
        if let integer = Int128(digits) { return integer }
        if let integer = UInt128(digits) { return integer }
        return digits
    }

    private static func dictionary(_ table: PropertyTable) -> [String: Any] {
        var dictionary: [String: Any] = [:]
        for entry in table {
            if case .null = entry.node.value { continue }
            dictionary[entry.key] = any(entry.node)
        }
        return dictionary
    }
}
