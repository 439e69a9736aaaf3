extension MergedState {
    /// The values in force of all declared keys, sorted by name.
    var values: [PropertyEntry] { declarations.compactMap { value(of: $0) } }

    /// Returns the value in force of a declared key, or nil if it has none.
    func value(of declaration: DeclaredKey) -> PropertyEntry? {
        let name = declaration.key.rawValue
        if !isMissing(declaration.key), let node = node(declaration.key) {
            return PropertyEntry(name: name, node: declaration.form.shown(node))
        }
        // Of a name that was only declared secret, nothing is known unless a source has it.
        return declaration.isRequired || !declaration.isDescribed ? nil : masked(declaration).defaultEntry
    }

    /// Whether no source has a value for a name. A value that cannot be read is not missing.
    func isMissing(_ key: PropertyKey) -> Bool { (node(key)?.isNull ?? true) && cause(of: key) == nil }

    /// Returns a declared key without its default if that is secret, or contains the value of a secret key.
    func masked(_ key: DeclaredKey) -> DeclaredKey {
        let node = declared.node(key.key)
        if node.isSecret { return key.masked }
        return node.hasSecretNames ? key.withoutDefault : key
    }
}
