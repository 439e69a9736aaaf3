import Properties

/// The runtime arguments of one resolve. They decide which instance is found: see `isEqual(to:)` and `differs(from:)`.
@usableFromInline
final class RuntimeArguments: @unchecked Sendable {
    // @unchecked: `resolve` and `require` demand that the arguments are `Sendable`, and nothing changes here.

    /// The argument, or the tuple of several arguments.
    let stored: StoredInstance
    /// The static type of `stored`.
    let type: Any.Type
    /// The comparable value of each argument, or nil for an argument that is not `Hashable`, or is remembered.
    private let values: [AnyHashable?]
    /// The arguments whose values are not kept, by their indices.
    private let remembered: [Int: RememberedArgument]

    init<each Argument: Sendable>(_ arguments: repeat each Argument) {
        let all = (repeat each arguments)
        (stored, type) = (StoredInstance(all), Swift.type(of: all))
        var values: [AnyHashable?] = []
        repeat values.append(Self.value(each arguments))
        (self.values, remembered) = (values, [:])
    }

    private init(_ former: RuntimeArguments, _ values: [AnyHashable?], _ remembered: [Int: RememberedArgument] = [:]) {
        (stored, type, self.values, self.remembered) = (StoredInstance(()), former.type, values, remembered)
    }

    private static func value<Argument>(_ argument: Argument) -> AnyHashable? {
        (argument as? any Hashable).map { AnyHashable($0) }
    }

    /// The arguments without the parts that only the factory needs, for a shared instance to keep.
    var comparable: RuntimeArguments { RuntimeArguments(self, values) }

    /// The same for a weak scope: they keep no object, which might keep the instance alive in turn. This runs user code,
    /// which computes the hashes.
    var withoutObjects: RuntimeArguments {
        var (values, remembered) = (values, [Int: RememberedArgument]())
        for (index, value) in values.enumerated() {
            guard let value, let argument = RememberedArgument(value) else { continue }
            (values[index], remembered[index]) = (nil, argument)
        }
        return RuntimeArguments(self, values, remembered)
    }

    /// The hash by which a graph looks its instance up, or nil if no other arguments are equal to these.
    var graphHash: Int? {
        var hasher = Hasher()
        for value in values {
            guard let value else { return nil }
            hasher.combine(value)
        }
        return hasher.finalize()
    }

    /// Whether all arguments can be compared and are equal, so that a graph has one instance for both.
    func isEqual(to other: RuntimeArguments) -> Bool {
        values.indices.allSatisfy { isEqual(to: other, at: $0) == true }
    }

    /// Whether an argument can be compared and is not equal, so that both have different shared instances.
    func differs(from other: RuntimeArguments) -> Bool {
        values.indices.contains { isEqual(to: other, at: $0) == false }
    }

    /// Compares an argument, or returns nil if that is not possible. The types are compared too, because an
    /// `AnyHashable` of `1` equals an `AnyHashable` of `1.0`.
    private func isEqual(to other: RuntimeArguments, at index: Int) -> Bool? {
        guard let one = values[index] else { return nil }
        if let remembered = other.remembered[index] { return remembered.isEqual(to: one) }
        guard let other = other.values[index] else { return nil }
        if Swift.type(of: one.base) != Swift.type(of: other.base) { return false }
        return one.isSameArgument(as: other)
    }

    /// The arguments in parentheses, such as `("app", 5)`. An argument that cannot be compared is `_`.
    var description: String {
        let texts = values.enumerated().map { index, value in
            value.map { ValueText.argument($0.base) } ?? remembered[index]?.description ?? "_"
        }
        return "(\(texts.joined(separator: ", ")))"
    }
}

/// An argument that is, or contains, an object, as the instance of a weak scope keeps it: it can be compared, and keeps
/// no object alive.
private final class RememberedArgument {
    let description: String
    private let type: Any.Type
    private let hash: Int
    /// The argument, if it is an object.
    private weak var object: AnyObject?
    /// All objects of the argument. An unowned reference keeps the address of an object that has been released from being
    /// used again, so that no other object has its identity and its hash.
    private let objects: [Unowned]

    private struct Unowned { unowned let object: AnyObject }

    /// Returns nil if the value contains no object.
    init?(_ value: AnyHashable) {
        var found: [AnyObject] = []
        Self.findObjects(in: value.base, &found)
        if found.isEmpty { return nil }
        type = Swift.type(of: value.base)
        hash = value.hashValue
        description = ValueText.argument(value.base)
        object = type is AnyClass ? found[0] : nil
        objects = found.map(Unowned.init)
    }

    private static func findObjects(in value: Any, _ found: inout [AnyObject]) {
        if Swift.type(of: value) is AnyClass { return found.append(value as AnyObject) }
        if value is String { return }
        for child in Mirror(reflecting: value).children { findObjects(in: child.value, &found) }
    }

    /// Compares it with an argument. If its object has been released, or if it only contains objects, the hashes are
    /// compared.
    func isEqual(to other: AnyHashable) -> Bool {
        if Swift.type(of: other.base) != type { return false }
        if let object = object as? any Hashable { return AnyHashable(object).isSameArgument(as: other) }
        return hash == other.hashValue
    }

}

extension AnyHashable {
    /// Whether both are equal, or neither equals itself, as a NaN. The argument that an instance was built from must not
    /// differ from itself.
    fileprivate func isSameArgument(as other: AnyHashable) -> Bool {
        self == other || self != self && other != other
    }
}

extension ValueText {
    fileprivate static func argument(_ value: Any) -> String {
        if let string = value as? String { return short(.string(string)) }
        return short(.opaque(OpaqueValue(unchecked: value)))
    }
}
