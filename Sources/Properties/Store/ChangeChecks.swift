/// A `bind` that has succeeded, as a check of later states.
struct BindingCheck: Sendable {
    /// Checks with equal identities have equal results.
    struct Identity: Hashable {
        /// The name of the table, or nil for all properties.
        let key: PropertyKey?
        let type: ObjectIdentifier
    }

    let identity: Identity
    /// Returns the errors that `bind` throws for a state. It may run user code, such as `init(from:)`, so the caller must
    /// not hold a lock.
    let problems: @Sendable (MergedState) -> [PropertyError]

    init<T>(_ type: T.Type, at name: String?) {
        identity = Identity(key: name.map { PropertyKey($0) }, type: ObjectIdentifier(type))
        problems = { state in
            // A conformance that is isolated to an actor is not available here, so the type cannot be checked.
            type is any Decodable.Type ? state.bind(type, at: name).problems : []
        }
    }
}

/// What a store checks before it publishes a change, in addition to the declared keys.
struct ChangeChecks: Sendable {
    /// The types that were bound.
    private(set) var bindings: [BindingCheck] = []
    /// The keys that services have read at their start, in addition to declared ones. Nil is all keys.
    private(set) var knownKeys: Set<PropertyKey?> = []
    /// Whether `verify` has refused unknown keys.
    private(set) var refusesUnknownKeys = false
    /// Whether changes are published without checks.
    private(set) var isOff = false
    /// Changes with each change of the checks.
    private(set) var version = 0

    /// Whether an equal check has been added.
    func contains(_ check: BindingCheck) -> Bool { bindings.contains { $0.identity == check.identity } }

    /// Whether there is nothing to check a change against.
    var isEmpty: Bool { bindings.isEmpty && knownKeys.isEmpty && !refusesUnknownKeys }

    /// Turns all checks of changes off.
    mutating func accept() { isOff = true }

    /// Adds the check of a bound type.
    mutating func add(_ check: BindingCheck) {
        if contains(check) { return }
        bindings.append(check)
        version += 1
    }

    /// Adds what a successful `verify` has checked.
    mutating func add(knownKeys keys: [PropertyKey?], refusesUnknownKeys refuses: Bool) {
        refusesUnknownKeys = refusesUnknownKeys || refuses
        knownKeys.formUnion(keys)
        version += 1
    }
}
