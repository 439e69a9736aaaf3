/// Turns nodes into Swift values: the one way from the tree to a type.
package enum Conversion {
    /// The value that a node holds, as exactly the type that was asked for.
    ///
    /// In this order: the stored type itself, our own conversions, `RawRepresentable`, `Decodable`.
    package static func convert<T>(_ node: PropertyNode, to type: T.Type) throws(PropertyMismatch) -> T {
        try convert(node, to: type, in: nil)
    }

    /// The same inside a binding, which collects what is wrong within the value.
    static func convert<T>(
        _ node: PropertyNode, to type: T.Type, in binding: Binding?
    ) throws(PropertyMismatch) -> T {
        if let basic = Basic.value(node.value, as: type) { return basic }
        if case .opaque(let opaque) = node.value, let same = opaque.value as? T { return same }
        if type == Any.self {
            try refuseTwins(in: node)
            return try cast(any(node), node)
        }
        if let nested = type as? any NestedConvertible.Type {
            return try cast(make(nested, of: node, in: binding), node)
        }
        if let convertible = type as? any PropertyConvertible.Type {
            return try cast(make(convertible, of: node), node)
        }
        if let raw = type as? any RawRepresentable.Type {
            return try cast(makeRaw(raw, of: node), node)
        }
        if let decodable = type as? any Decodable.Type {
            return try cast(NodeDecoder.decode(decodable, from: node, in: binding), node)
        }
        throw PropertyMismatch(.wrongType, node, expected: TypeName.noun(type))
    }

    /// Converts a value that stands inside another one: an element, an entry, what a key names.
    ///
    /// Inside a binding what is wrong is noted and some value stands in, so that the rest is looked at too.
    ///
    /// - Parameter step: what leads to the value from the one that it is in: `[2]`, `.port`.
    static func part<T>(
        _ node: PropertyNode, at step: @autoclosure () -> String, to type: T.Type, in binding: Binding?
    ) throws(PropertyMismatch) -> T {
        guard let binding else {
            do throws(PropertyMismatch) {
                return try convert(node, to: type, in: nil)
            } catch {
                throw error.inside(step())
            }
        }
        return try binding.inside(step()).collect(type) { (inner) throws(PropertyMismatch) in
            try convert(node, to: type, in: inner)
        }
    }

    private static func make<N: NestedConvertible>(
        _ type: N.Type, of node: PropertyNode, in binding: Binding?
    ) throws(PropertyMismatch) -> Any {
        try N(property: node, in: binding)
    }

    private static func make<P: PropertyConvertible>(
        _ type: P.Type, of node: PropertyNode
    ) throws(PropertyMismatch) -> Any {
        try P(property: node)
    }

    private static func makeRaw<R: RawRepresentable>(
        _ type: R.Type, of node: PropertyNode
    ) throws(PropertyMismatch) -> Any {
        do throws(PropertyMismatch) {
            if let value = R(rawValue: try convert(node, to: R.RawValue.self)) { return value }
        } catch {
            // The cases say more than the type of their raw values.
            guard TypeName.caseNames(type) != nil else { throw error }
            throw PropertyMismatch(error.reason, node, expected: TypeName.noun(type))
        }
        let nearest = TypeName.caseNames(type).flatMap {
            Suggestions.nearest(to: ValueText.short(node.value), among: $0)
        }
        throw PropertyMismatch(
            .notACase, node, expected: TypeName.noun(type), remedy: nearest.map { "Did you mean \($0)?" })
    }

    // Cannot fail, since the value was made as the type; a trap would still be the wrong answer if it did.
    private static func cast<T>(_ value: Any, _ node: PropertyNode) throws(PropertyMismatch) -> T {
        guard let value = value as? T else {
            throw PropertyMismatch(.wrongType, node, expected: TypeName.noun(T.self))
        }
        return value
    }
}

/// A type that holds others, each of which is converted in turn.
protocol NestedConvertible: PropertyConvertible {
    init(property node: PropertyNode, in binding: Binding?) throws(PropertyMismatch)
}
