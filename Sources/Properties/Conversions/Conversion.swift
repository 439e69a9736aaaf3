/// Turns nodes into Swift values: the one way from the tree to a type.
package enum Conversion {
    /// The value that a node holds, as exactly the type that was asked for.
    ///
    /// In this order: the stored type itself, our own conversions, `RawRepresentable`, `Decodable`.
    package static func convert<T>(_ node: PropertyNode, to type: T.Type) throws(PropertyMismatch) -> T {
        try convert(node, to: type, in: .reading)
    }

    /// The same for a value that may be inside another one.
    static func convert<T>(
        _ node: PropertyNode, to type: T.Type, in context: ConversionContext
    ) throws(PropertyMismatch) -> T {
        if let basic = Basic.value(node.value, as: type) { return basic }
        if case .opaque(let opaque) = node.value, let same = stored(opaque.value, as: type) { return same }
        // The value was made as the type, so the cast fails only if a conversion is wrong.
        guard let value = try make(type, of: node, in: context) as? T else {
            throw PropertyMismatch(.wrongType, node, expected: TypeName.noun(type))
        }
        return value
    }

    /// Converts a value that is inside another one: an element, an entry, the value of a key.
    ///
    /// - Parameters:
    ///   - step: the path to the value from the one that holds it: `[2]`, `.port`.
    ///   - levels: how many keys and indices the step has.
    static func part<T>(
        _ node: PropertyNode, at step: @autoclosure () -> String, levels: Int = 1, to type: T.Type,
        in context: ConversionContext
    ) throws(PropertyMismatch) -> T {
        do throws(PropertyMismatch) {
            let inner = context.inside(step(), levels: levels)
            try inner.checkDepth(of: node)
            return try convert(node, to: type, in: inner)
        } catch {
            throw error.inside(step())
        }
    }

    /// The value itself, where it is of the type.
    private static func stored<T>(_ value: Any, as type: T.Type) -> T? {
        // A class instance becomes one of these by Foundation's bridging alone, which takes the `NSNumber` 1 for `true`.
        let isBridged = type == Bool.self || type is any Numeric.Type || type is any NestedConvertible.Type
        return isBridged && Swift.type(of: value) is AnyClass ? nil : value as? T
    }

    // Not generic, so that its frame, which is on the stack once for each level of a value, has no room for a `T`.
    private static func make(
        _ type: Any.Type, of node: PropertyNode, in context: ConversionContext
    ) throws(PropertyMismatch) -> Any {
        if type == Any.self {
            try checkKeys(in: node, context)
            return any(node)
        }
        switch type {
        case let nested as any NestedConvertible.Type: return try nested.init(property: node, in: context)
        case let convertible as any PropertyConvertible.Type: return try convertible.init(property: node)
        case let raw as any RawRepresentable.Type: return try makeRaw(raw, of: node)
        case let decodable as any Decodable.Type: return try NodeDecoder.decode(decodable, from: node, in: context)
        default: throw PropertyMismatch(.wrongType, node, expected: TypeName.noun(type))
        }
    }

    private static func makeRaw<R: RawRepresentable>(
        _ type: R.Type, of node: PropertyNode
    ) throws(PropertyMismatch) -> Any {
        let raw: R.RawValue
        do throws(PropertyMismatch) {
            raw = try convert(node, to: R.RawValue.self)
        } catch {
            // The cases say more than the type of their raw values.
            guard TypeName.caseNames(type) != nil else { throw error }
            throw PropertyMismatch(error.reason, node, expected: TypeName.noun(type))
        }
        // An enum compares the text with that of each case, by characters.
        let isCheap = (raw as? String)?.comparesInLinearTime ?? true
        if isCheap, let value = R(rawValue: raw) { return value }
        // Any two characters are one edit apart.
        let names = R.RawValue.self == Character.self ? nil : TypeName.caseNames(type)
        let nearest = names.flatMap { Suggestions.nearest(to: ValueText.short(node.value), among: $0) }
        throw PropertyMismatch(
            .notACase, node, expected: TypeName.noun(type), remedy: nearest.map { "Did you mean \($0)?" })
    }
}

/// A type that holds others, each of which is converted in turn.
protocol NestedConvertible: PropertyConvertible {
    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyMismatch)
}

/// The types that nearly every read asks for, converted with no look at conformances.
enum Basic {
    /// The value where it is stored as exactly the type that was asked for; nil says nothing, the other ways remain.
    @inline(__always)
    static func value<T>(_ value: PropertyValue, as type: T.Type) -> T? {
        switch value {
        case .integer(let integer) where type == Int.self: Int(exactly: integer).map { same($0, as: type) }
        case .string(let string) where type == String.self: same(string, as: type)
        case .bool(let bool) where type == Bool.self: same(bool, as: type)
        case .double(let double) where type == Double.self: same(double, as: type)
        default: nil
        }
    }

    /// A value under the name of its own type.
    // Safe: each caller has just seen that `From` and `To` are one type, so the bits mean the same.
    @inline(__always)
    static func same<From, To>(_ value: From, as type: To.Type) -> To {
        unsafe unsafeBitCast(value, to: type)
    }
}
