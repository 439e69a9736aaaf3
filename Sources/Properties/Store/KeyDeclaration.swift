/// What is known of a key that a service reads: all declarations of its name together.
struct KeyDeclaration: Sendable {
    private struct Check: Sendable {
        /// Equal for checks that find the same problems; nil where that is not known.
        let identity: CheckIdentity?
        let problem: @Sendable (PropertySnapshot) -> PropertyError?
    }

    let key: PropertyKey
    private(set) var isSecret: Bool
    private var checks: [Check]

    init<Value>(_ key: TypedKey<Value>) {
        self.key = key.key
        isSecret = key.isSecret
        let check = Check(identity: key.checkIdentity) { snapshot in
            do throws(PropertyError) {
                _ = try key.require(snapshot)
                return nil
            } catch {
                return error
            }
        }
        checks = [check]
    }

    init(secret name: String) {
        key = PropertyKey(name)
        isSecret = true
        checks = []
    }

    /// What is wrong with the key's value.
    func problems(in snapshot: PropertySnapshot) -> [PropertyError] { checks.compactMap { $0.problem(snapshot) } }

    /// Adds another declaration of the same name: it can neither unmask the value nor drop a check.
    mutating func add(_ other: KeyDeclaration) {
        isSecret = isSecret || other.isSecret
        // Without this, a key that is declared again and again would be checked as often.
        let known = Set(checks.compactMap(\.identity))
        checks += other.checks.filter { check in check.identity.map { !known.contains($0) } ?? true }
    }
}

/// What a typed key checks, where it has no function of its own.
struct CheckIdentity: Hashable {
    let type: ObjectIdentifier
    let expected: String
    let isRequired: Bool
    let isSecret: Bool
}

extension [PropertyKey: KeyDeclaration] {
    /// Adds a declaration to those of its name.
    mutating func add(_ declaration: KeyDeclaration) {
        guard var known = self[declaration.key] else {
            self[declaration.key] = declaration
            return
        }
        known.add(declaration)
        self[declaration.key] = known
    }
}

extension PropertyStore {
    /// Declares the keys that the service reads, so that `verify` can check them all at once and a source that cannot
    /// spell them, such as the environment, finds them.
    ///
    ///     store.declare(.port, .host, .password)
    ///
    /// The values of those that are secret are masked from now on, here and in the stores below. Several declarations of
    /// one name add up: all checks count, and what one of them masks stays masked.
    public func declare<each Value>(_ keys: repeat TypedKey<each Value>) {
        var declarations: [KeyDeclaration] = []
        repeat declarations.append(KeyDeclaration(each keys))
        declare(declarations)
    }

    /// Declares names whose values are masked from now on in every description, dump and error, here and in the stores
    /// below. A table's name stands for all that is in it.
    public func declareSecret(_ names: String...) {
        declare(names.map { KeyDeclaration(secret: $0) })
    }

    private func declare(_ declarations: [KeyDeclaration]) {
        change { state in
            for declaration in declarations { state.declarations.add(declaration) }
        }
    }
}
