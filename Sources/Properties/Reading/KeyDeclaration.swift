/// A key that a service reads, whatever its type.
struct KeyDeclaration: Sendable {
    let key: PropertyKey
    let isSecret: Bool
    /// What is wrong with the key's value, or nil.
    let problem: @Sendable (PropertySnapshot) -> PropertyError?

    init<Value>(_ key: TypedKey<Value>) {
        self.key = key.key
        isSecret = key.isSecret
        problem = { snapshot in
            do throws(PropertyError) {
                _ = try key.require(snapshot)
                return nil
            } catch {
                return error
            }
        }
    }

    init(secret name: String) {
        key = PropertyKey(name)
        isSecret = true
        problem = { _ in nil }
    }
}

extension PropertyStore {
    /// Declares the keys that the service reads, so that `verify` can check them all at once and a source that cannot
    /// spell them, such as the environment, finds them.
    ///
    ///     store.declare(.port, .host, .password)
    ///
    /// The values of those that are secret are masked from now on, here and in the stores below.
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
            for declaration in declarations { state.declarations[declaration.key] = declaration }
        }
    }
}
