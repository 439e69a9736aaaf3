/// An immutable view of the properties of a store. Any thread can read it. Changes of the store do not affect it.
public struct PropertySnapshot: PropertyReading, Sendable {
    let state: MergedState
    // The logs that the store had when the snapshot was made.
    let logs: [ReadLog]
    /// Reports reads that have probably returned nil by mistake.
    let wrongReads: WrongReads
    /// Whether a start runs. Its report has the wrong values, so they are not reported here.
    var isInStart = false

    /// The snapshot itself.
    public var properties: PropertySnapshot { self }

    /// The snapshot itself.
    public var snapshot: PropertySnapshot { self }

    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value, or nil.
    public func property<T>(_ key: PropertyKey) -> T? {
        do throws(PropertyError) {
            return try value(key, as: T.self)
        } catch {
            if !isInStart { wrongReads.report(error, as: T.self) }
            return nil
        }
    }
}

extension PropertyReading where Properties == Self {
    /// All properties with a value or a null, sorted by name, including the properties of the parents. Tables are left
    /// out unless they are empty.
    ///
    /// A property whose placeholders have no value is listed with a null; `warnings` contains the reason.
    public var entries: [PropertyEntry] {
        let state = snapshot.state
        return state.tree.all.filter(\.isLeaf).map { state.entry($0.key, $0.node) }.sorted(byName: \.name)
    }

    /// Returns a property and its history: the current value, then the values that it overrode, the latest first.
    ///
    /// Nulls are included. If a later source replaced a table that the property was in, the first entry is the value
    /// that replaced the table, with the name of the table. The list is empty if no source has the name.
    ///
    /// - Parameter name: the flat name.
    /// - Returns: the values, the current value first.
    public func history(of name: String) -> [PropertyEntry] { history(of: PropertyKey(name)) }

    /// Returns a property and its history: the current value, then the values that it overrode, the latest first.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the values, the current value first.
    public func history(of key: PropertyKey) -> [PropertyEntry] { snapshot.state.history(of: key) }

    /// Returns a property and its history: the current value, then the values that it overrode, the latest first. The
    /// default of the key is not a source, so it is not listed.
    ///
    /// - Parameter key: the property's key. If it is secret, the values are masked even if it was not declared.
    /// - Returns: the values, the current value first.
    public func history<Value>(of key: TypedKey<Value>) -> [PropertyEntry] {
        history(of: key.key).map { key.isSecret ? $0.masked : $0 }
    }

    /// Returns whether the value of a property, or a part of it, is masked in every description.
    ///
    /// Code that passes values on, such as an adapter for another library, must pass this on, too.
    ///
    /// - Parameter name: the flat name.
    /// - Returns: whether it is masked; false if the property does not exist.
    public func isSecret(_ name: String) -> Bool {
        snapshot.state.node(PropertyKey(name))?.holdsSecret ?? false
    }

    /// Returns all properties, or one property or table, as JSON text with secrets masked.
    ///
    /// - Parameter name: the flat name of the property or table, or nil for all properties. The empty name refers to
    ///   the key `""`.
    /// - Returns: the text, or nil if there is no property of that name.
    /// - Throws: a `PropertyError` if the placeholders of a property have no value.
    public func json(at name: String? = nil) throws(PropertyError) -> String? {
        let state = snapshot.state
        try state.checkPlaceholders(name.map { PropertyKey($0) }, expected: "values for JSON")
        guard let node = state.nodeOrRoot(name) else { return nil }
        return JsonText.text(node, layout: .lines)
    }

    /// Likely mistakes in the sources that are not errors, such as a JSON key that occurs twice.
    ///
    /// The first warning may be an error that a declaration or a change of the parent has caused after the sources were
    /// applied: an ambiguous name, or a placeholder whose property is gone. `verify` throws that error.
    public var warnings: [PropertyLoadError] { snapshot.state.warnings }

    /// All properties, as a table.
    package var root: PropertyTable { snapshot.state.tree.root }

    /// Returns the error about a name that no program reads.
    ///
    /// - Parameters:
    ///   - name: the flat name.
    ///   - origin: the place of the key, or nil if no source has it.
    ///   - written: the part of the name that may be misspelt.
    ///   - names: the names that may be meant.
    /// - Returns: the error.
    package func unknownName(
        _ name: String, at origin: PropertyOrigin?, written: String, among names: [String]
    ) -> PropertyError {
        let candidates = Candidates(written: written, names: names)
        return PropertyError(unknown: name, at: origin, candidates, snapshot.state)
    }
}

// MARK: - Reading

extension PropertyReading where Properties == Self {
    /// The slow path for any type. Throws the error that the reader receives.
    func value<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T? {
        let value = try logging(key, type) { (state) throws(PropertyError) in try state.value(key, as: type) }
        if case .none = value { reportMiss(key) }
        return value
    }

    /// The slow path for a value that must exist.
    func required<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T {
        try logging(key, type) { (state) throws(PropertyError) in try state.required(key, as: type) }
    }

    /// Reads from the current state, and adds the read with its error to the logs.
    func logging<T>(
        _ key: PropertyKey, _ type: Any.Type, _ read: @escaping @Sendable (MergedState) throws(PropertyError) -> T
    ) throws(PropertyError) -> T {
        let snapshot = snapshot
        do throws(PropertyError) {
            let value = try read(snapshot.state)
            snapshot.logs.add(
                key, in: snapshot.state,
                check: ReadCheck(key, type) { (state) throws(PropertyError) in _ = try read(state) })
            return value
        } catch {
            snapshot.logs.add(key, in: snapshot.state, error)
            throw error
        }
    }
}

extension MergedState {
    /// Returns the value of a property, or throws the error that it is missing or wrong.
    fileprivate func required<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T {
        if let value = try value(key, as: type) { return value }
        throw PropertyError(missing: key.rawValue, expected: TypeName.noun(type), self)
    }
}

// MARK: - Text

extension PropertySnapshot: DescriptionOnly {
    /// The number of properties. It contains no values.
    public var description: String { entries.count == 1 ? "1 property" : "\(entries.count) properties" }
}
