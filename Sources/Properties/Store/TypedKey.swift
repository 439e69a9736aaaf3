/// A property's name with its type and all else that is known of it, declared once.
///
///     extension TypedKey<Int> {
///         static var port: Self {
///             TypedKey("server.port", default: 8080, expected: "a port from 1 to 65535") { (1...65535).contains($0) }
///         }
///     }
///     let port = r.property(.port)
public struct TypedKey<Value: Sendable>: Sendable {
    /// The flat name.
    public let key: PropertyKey
    /// What stands in where the property is missing, or nil.
    public let defaultValue: Value?
    /// What a number counts, such as "seconds", or nil.
    public let unit: String?
    /// Whether the value is masked in every description, dump and error: of reads by this key, and everywhere in a store
    /// that the key is declared to.
    public let isSecret: Bool
    /// What the property is for, in the words of people who run the service.
    public let summary: String?
    // What messages say was expected, and what the value has to be beyond its type.
    private let expected: String?
    private let check: (@Sendable (Value) -> Bool)?

    /// Declares a key.
    ///
    /// - Parameters:
    ///   - name: the flat name: the path's elements joined with dots.
    ///   - default: what stands in where the property is missing. It never hides a value that is wrong.
    ///   - unit: what a number counts, in the plural: "seconds".
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: what the property is for.
    ///   - expected: what messages say was expected, as a noun; left out, the type's own name.
    ///   - check: whether a value of the type is a good one.
    public init(
        _ name: String, default: Value? = nil, unit: String? = nil, isSecret: Bool = false, summary: String? = nil,
        expected: String? = nil, check: (@Sendable (Value) -> Bool)? = nil
    ) {
        key = PropertyKey(name)
        defaultValue = `default`
        self.unit = unit
        self.isSecret = isSecret
        self.summary = summary
        self.expected = expected
        self.check = check
    }

    /// The value, or nil where it is missing.
    func read(_ snapshot: PropertySnapshot) throws(PropertyError) -> Value? {
        if let cause = snapshot.cause(of: key) {
            // Redacted, it shows no line, which may have the value in it.
            throw PropertyError(isSecret ? cause.redacted() : cause, at: key.rawValue, expected: noun, snapshot)
        }
        do throws(PropertyMismatch) {
            guard let value = try snapshot.read(key, as: Value.self) else { return nil }
            guard check?(value) ?? true else {
                throw PropertyMismatch(.refused, snapshot.node(key) ?? PropertyNode(nil), expected: noun)
            }
            return value
        } catch {
            let known = error.path.isEmpty ? error.expecting(noun) : error
            throw PropertyError(known, at: key.rawValue, snapshot, isSecret: isSecret)
        }
    }

    /// The value, or the default where it is missing.
    func require(_ snapshot: PropertySnapshot) throws(PropertyError) -> Value {
        if let value = try read(snapshot) ?? defaultValue { return value }
        throw PropertyError(missing: key.rawValue, expected: noun, snapshot, isSecret: isSecret)
    }

    /// The value, or nil where it is missing; a check at start hears of it.
    fileprivate func read(_ store: PropertyStore) throws(PropertyError) -> Value? {
        try noted(store) { (state) throws(PropertyError) in try read(state) }
    }

    /// The value, or the default where it is missing; a check at start hears of it.
    fileprivate func require(_ store: PropertyStore) throws(PropertyError) -> Value {
        try noted(store) { (state) throws(PropertyError) in try require(state) }
    }

    private func noted<Result>(
        _ store: PropertyStore, _ body: (PropertySnapshot) throws(PropertyError) -> Result
    ) throws(PropertyError) -> Result {
        do throws(PropertyError) {
            let result = try body(store.snapshot)
            store.record.add(key, nil)
            return result
        } catch {
            store.record.add(key, error)
            throw error
        }
    }

    /// What tells its check from others; nil where it has a function, since functions cannot be compared.
    var checkIdentity: CheckIdentity? {
        guard check == nil else { return nil }
        return CheckIdentity(
            type: ObjectIdentifier(Value.self), expected: noun, isRequired: defaultValue == nil, isSecret: isSecret)
    }

    fileprivate var noun: String {
        (expected ?? TypeName.noun(Value.self)) + (unit.map { " in \($0)" } ?? "")
    }
}

extension PropertyReading {
    /// The value of a property; its key's default where it is missing; nil where it is wrong, or missing with no default.
    public func property<Value>(_ key: TypedKey<Value>) -> Value? {
        try? key.require(properties)
    }

    /// The value of a property, or a default where it is missing. A default never hides a value that is wrong.
    ///
    /// - Throws: a `PropertyError` where the value is of another type, or the key's check refuses it.
    public func property<Value>(
        _ key: TypedKey<Value>, default: @autoclosure () -> Value
    ) throws(PropertyError) -> Value {
        try key.read(properties) ?? `default`()
    }

    /// The value of a property, or its key's default where it is missing.
    ///
    /// - Throws: a `PropertyError` where it is missing with no default, is of another type, or the check refuses it.
    public func require<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value {
        try key.require(properties)
    }
}

// MARK: - Text

extension TypedKey: CustomStringConvertible, CustomReflectable {
    /// `server.port: a port from 1 to 65535, 8080 by default`, with the default of a secret masked.
    public var description: String {
        let fallback = defaultValue.map { ", \(isSecret ? ValueText.mask : "\($0)") by default" }
        return "\(key): \(noun)\(fallback ?? "")"
    }

    /// The description alone: a dump would show the default in any case.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
