/// What a store checks before it publishes a change, in addition to the declared keys.
struct ChangeChecks: Sendable {
    /// The keys that services have read at their start, in addition to declared ones. Nil is all keys.
    private(set) var knownKeys: Set<PropertyKey?> = []
    /// Whether `verify` has refused unknown keys.
    private(set) var refusesUnknownKeys = false
    /// Whether changes are published without checks.
    private(set) var isOff = false
    /// Changes with each change of the checks.
    private(set) var version = 0

    /// Whether there is nothing to check a change against.
    var isEmpty: Bool { knownKeys.isEmpty && !refusesUnknownKeys }

    /// Turns all checks of changes off.
    mutating func accept() { isOff = true }

    /// Adds what a successful `verify` has checked.
    mutating func add(knownKeys keys: [PropertyKey?], refusesUnknownKeys refuses: Bool) {
        refusesUnknownKeys = refusesUnknownKeys || refuses
        knownKeys.formUnion(keys)
        version += 1
    }
}
