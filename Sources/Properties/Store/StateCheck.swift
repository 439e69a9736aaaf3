/// A read or a `bind` that has succeeded, as a check of later states.
struct StateCheck: Sendable {
    /// The result for one state.
    struct Outcome {
        /// The errors that the read or the `bind` throws.
        var problems: [PropertyError]
        /// The keys that it reads. Nil stands for all properties.
        var keys: [PropertyKey?]
    }

    /// Checks with equal identities have equal outcomes.
    struct Identity: Hashable {
        let key: PropertyKey?
        let type: ObjectIdentifier
        /// Distinguishes the ways to read the same type.
        let way: String
    }

    /// Nil for a check that cannot be compared.
    let identity: Identity?
    /// Runs the check. It may run user code, such as `init(from:)`, so the caller must not hold a lock.
    let run: @Sendable (MergedState) -> Outcome

    /// The read of a key.
    static func reading(
        _ key: PropertyKey, identity: Identity? = nil,
        _ read: @escaping @Sendable (MergedState) throws(PropertyError) -> Void
    ) -> StateCheck {
        StateCheck(identity: identity) { state in
            do throws(PropertyError) {
                try read(state)
                return Outcome(problems: [], keys: [key])
            } catch {
                return Outcome(problems: [error], keys: [key])
            }
        }
    }

    /// The read of a key as a type. A missing value is a problem only if it is required.
    static func reading<T>(_ key: PropertyKey, as type: T.Type, isRequired: Bool) -> StateCheck {
        let identity = Identity(key: key, type: ObjectIdentifier(type), way: isRequired ? "require" : "property")
        return reading(key, identity: identity) { (state) throws(PropertyError) in
            if isRequired { _ = try state.required(key, as: type) } else { _ = try state.value(key, as: type) }
        }
    }

    /// The `bind` of a type.
    static func binding<T>(_ type: T.Type, at name: String?, refusesUnknownKeys: Bool) -> StateCheck {
        let identity = Identity(
            key: name.map { PropertyKey($0) }, type: ObjectIdentifier(type),
            way: refusesUnknownKeys ? "bind, unknown keys refused" : "bind")
        return StateCheck(identity: identity) { state in
            // A conformance that is isolated to an actor is not available here, so the type cannot be checked.
            guard type is any Decodable.Type else { return Outcome(problems: [], keys: [identity.key]) }
            let bound = state.bind(type, at: name, unknownKeys: refusesUnknownKeys ? .refused : .ignored)
            return Outcome(problems: bound.problems + bound.refused, keys: bound.keys)
        }
    }
}

/// What a store checks before it publishes a change, in addition to the declared keys.
struct ChangeChecks: Sendable {
    /// The types that were bound.
    private(set) var bindings: [StateCheck] = []
    /// The reads of the last `verify(reads:)` that passed.
    private(set) var reads: [StateCheck] = []
    /// The keys that were known to the last `verify(reads:)`, in addition to declared ones. Nil is all keys.
    private(set) var knownKeys: Set<PropertyKey?> = []
    /// Whether `verify` has refused unknown keys.
    private(set) var refusesUnknownKeys = false
    /// Whether changes are published without checks.
    private(set) var isOff = false
    /// Changes with each change of the checks.
    private(set) var version = 0
    private var identities: Set<StateCheck.Identity> = []

    /// Whether a check with this identity has been added to `bindings`.
    func contains(_ identity: StateCheck.Identity?) -> Bool { identity.map { identities.contains($0) } ?? false }

    /// Whether there is nothing to check a change against.
    var isEmpty: Bool { bindings.isEmpty && reads.isEmpty && !refusesUnknownKeys }

    /// Turns all checks of changes off.
    mutating func accept() { isOff = true }

    /// Adds the check of a bound type.
    mutating func add(binding check: StateCheck) {
        if let identity = check.identity, !identities.insert(identity).inserted { return }
        bindings.append(check)
        version += 1
    }

    /// Adds what a successful `verify` has checked. Reads replace those of an earlier call.
    mutating func add(reads new: [ReadRecord.Note]?, of store: ObjectIdentifier, refusesUnknownKeys refuses: Bool) {
        refusesUnknownKeys = refusesUnknownKeys || refuses
        version += 1
        guard let new else { return }
        var seen: Set<StateCheck.Identity> = []
        // A read of another store may have found the value of another source, so it cannot be repeated here.
        reads = new.filter { $0.store == store }.compactMap(\.check)
            .filter { check in check.identity.map { seen.insert($0).inserted } ?? true }
        knownKeys = Set(new.map(\.key))
    }
}
