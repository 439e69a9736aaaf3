import Properties

/// The runtime arguments of one resolve. They decide which instance is found: see `isEqual(to:)` and `differs(from:)`.
@usableFromInline
final class RuntimeArguments: @unchecked Sendable {
    // @unchecked: `resolve` and `require` demand that the arguments are `Sendable`, and nothing changes here.

    /// The argument, or the tuple of several arguments.
    let stored: StoredInstance
    /// The static type of `stored`.
    let type: Any.Type
    /// The comparable value of each argument, or nil for an argument that is not `Hashable`.
    private let values: [AnyHashable?]

    init<each Argument: Sendable>(_ arguments: repeat each Argument) {
        let all = (repeat each arguments)
        (stored, type) = (StoredInstance(all), Swift.type(of: all))
        var values: [AnyHashable?] = []
        repeat values.append(Self.value(each arguments))
        self.values = values
    }

    private init(_ former: RuntimeArguments, _ values: [AnyHashable?]) {
        (stored, type, self.values) = (StoredInstance(()), former.type, values)
    }

    private static func value<Argument>(_ argument: Argument) -> AnyHashable? {
        (argument as? any Hashable).map { AnyHashable($0) }
    }

    /// The arguments without the parts that only the factory needs, for a shared instance to keep. In a weak scope,
    /// they keep no object, which might keep the instance alive in turn.
    func comparable(isWeak: Bool) -> RuntimeArguments {
        func isObject(_ value: AnyHashable) -> Bool { Swift.type(of: value.base) is AnyClass }
        return RuntimeArguments(self, isWeak ? values.map { $0.map(isObject) == true ? nil : $0 } : values)
    }

    /// Whether all arguments can be compared and are equal, so that a graph has one instance for both.
    func isEqual(to other: RuntimeArguments) -> Bool {
        zip(values, other.values).allSatisfy { Self.isEqual($0, $1) == true }
    }

    /// Whether an argument can be compared and is not equal, so that both have different shared instances.
    func differs(from other: RuntimeArguments) -> Bool {
        zip(values, other.values).contains { Self.isEqual($0, $1) == false }
    }

    /// Compares two arguments, or returns nil if that is not possible. The types are compared too, because an
    /// `AnyHashable` of `1` equals an `AnyHashable` of `1.0`.
    private static func isEqual(_ one: AnyHashable?, _ other: AnyHashable?) -> Bool? {
        guard let one, let other else { return nil }
        return Swift.type(of: one.base) == Swift.type(of: other.base) && one == other
    }

    /// The arguments in parentheses, such as `("app", 5)`. An argument that cannot be compared is `_`.
    var description: String {
        "(\(values.map { $0.map { ValueText.argument($0.base) } ?? "_" }.joined(separator: ", ")))"
    }
}

extension ValueText {
    fileprivate static func argument(_ value: Any) -> String {
        if let string = value as? String { return short(.string(string)) }
        return short(.opaque(OpaqueValue(unchecked: value)))
    }
}
