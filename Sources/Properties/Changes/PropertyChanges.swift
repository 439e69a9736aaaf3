/// The changes of one property, or of all properties below a name, as a sequence.
///
/// The sequence contains all changes after `current`, even if its iteration begins later. It ends when the store is
/// deallocated or the task is cancelled. A new state of the store without changes produces no element. The sequence
/// supports one reader. If the reader falls behind by more than 64 states, the changes of several states arrive as one.
public struct PropertyChanges<Current, Element>: AsyncSequence, Sendable {
    private let value: @Sendable (MergedState) -> Current
    private let change: @Sendable (_ old: MergedState, _ new: MergedState) -> Element?
    private let first: MergedState
    private let later: AsyncStream<MergedState>

    fileprivate init(
        of key: PropertyKey?, in store: PropertyStore, value: @escaping @Sendable (MergedState) -> Current,
        change: @escaping @Sendable (_ old: MergedState, _ new: MergedState) -> Element?
    ) {
        (self.value, self.change) = (value, change)
        // A view exists only for one construction.
        (first, later) = StateFeed.states(of: store.owner)
        store.starts.all.add(key, in: first)
    }

    /// The observed properties when the sequence was created.
    public var current: Current { value(first) }

    /// Creates an iterator that begins with the first change after `current`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(change: change, state: first, later: later.makeAsyncIterator())
    }

    /// The iterator of a sequence of changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let change: @Sendable (MergedState, MergedState) -> Element?
        fileprivate var state: MergedState
        fileprivate var later: AsyncStream<MergedState>.Iterator

        /// Waits for the next change. Returns nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while let new = await later.next(isolation: actor) {
                let old = state
                state = new
                if let change = change(old, new) { return change }
            }
            return nil
        }
    }
}

// MARK: - One property

extension PropertyReading<PropertyStore> {
    /// Returns the typed changes of a property from now on.
    ///
    /// A table can be read as a dictionary or a `Decodable` type. Each change of a value in the table is then a change.
    ///
    ///     let timeouts = store.changes(of: "api.timeout", as: Int.self)
    ///     use(timeouts.current ?? 30)
    ///     for await change in timeouts { use(change.new ?? 30) }
    ///
    /// - Parameters:
    ///   - name: the flat name.
    ///   - type: the type to read it as.
    /// - Returns: the sequence of changes. Its `current` is nil if the value is missing, null, or of another type.
    public func changes<T>(of name: String, as type: T.Type = T.self) -> PropertyChanges<T?, PropertyChange<T>> {
        changes(of: PropertyKey(name), as: type)
    }

    /// Returns the typed changes of a property from now on.
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - type: the type to read it as.
    /// - Returns: the sequence of changes. Its `current` is nil if the value is missing, null, or of another type.
    public func changes<T>(of key: PropertyKey, as type: T.Type = T.self) -> PropertyChanges<T?, PropertyChange<T>> {
        changes(of: key, isSecret: false) { (state) throws(PropertyError) in try state.value(key, as: T.self) }
    }

    /// Returns the changes of a property from now on, as values of the key's type.
    ///
    ///     for await change in store.changes(of: .port) {
    ///         if let port = change.new { restart(on: port) } else if let error = change.error { log(error) }
    ///     }
    ///
    /// The default of the key replaces a missing value. If a new value is wrong or the key's check refuses it, the
    /// change has an error instead.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the sequence of changes. Its `current` is nil if the value is wrong, or missing without a default.
    public func changes<Value>(of key: TypedKey<Value>) -> PropertyChanges<Value?, PropertyChange<Value>> {
        changes(of: key.key, isSecret: key.isSecret) { (state) throws(PropertyError) in
            state.isMissing(key.key) ? key.defaultValue : try state.require(key.key, key.rule)
        }
    }

    private func changes<T>(
        of key: PropertyKey, isSecret: Bool, read: @escaping @Sendable (MergedState) throws(PropertyError) -> T?
    ) -> PropertyChanges<T?, PropertyChange<T>> {
        PropertyChanges(of: key, in: properties, value: { try? read($0) }) { old, new in
            let former = old.node(key), current = new.node(key)
            guard !PropertyNode.isSame(former, or: current) else { return nil }
            let before = try? read(old)
            var after: T?
            var failure: PropertyError?
            do throws(PropertyError) { after = try read(new) } catch { failure = error }
            // Different source values can have the same typed value: the text "5" and the integer 5 are equal as
            // integers.
            if failure == nil, PropertyValue.areEqual(before as Any, after as Any) { return nil }
            let holdsSecret = [former, current].contains { $0?.holdsSecret == true }
            return PropertyChange(
                name: key.rawValue, old: before, new: after, origin: (current ?? former)?.origin,
                isSecret: isSecret || holdsSecret, error: failure)
        }
    }
}

// MARK: - All properties below a name

extension PropertyReading<PropertyStore> {
    /// Returns the changes of all properties from now on, one array for each new state, sorted by name.
    ///
    ///     for await changes in store.changes(under: "api") {
    ///         for change in changes { print(change) }
    ///     }
    ///
    /// - Parameter prefix: the flat name of a property or table, or nil for all properties. The empty name refers to
    ///   the key `""`.
    /// - Returns: the sequence of changes. Its `current` has the properties, sorted by name.
    public func changes(
        under prefix: String? = nil
    ) -> PropertyChanges<[PropertyEntry], [PropertyChange<PropertyEntry>]> {
        let key = prefix.map { PropertyKey($0) }
        return PropertyChanges(
            of: key, in: properties,
            value: { PropertyContents($0.node(read: key), key).entries.values.sorted(byName: \.name) }
        ) { old, new in
            let changes = new.changes(of: key, since: old.node(read: key))
            return changes.isEmpty ? nil : changes
        }
    }
}

extension MergedState {
    /// Returns the changes of all properties at a name or below it since an earlier state, sorted by name.
    ///
    /// - Parameters:
    ///   - key: the name, or nil for all properties.
    ///   - old: the earlier node of the name.
    /// - Returns: the changes.
    func changes(of key: PropertyKey?, since old: PropertyNode?) -> [PropertyChange<PropertyEntry>] {
        let new = node(read: key)
        if PropertyNode.isSame(old, or: new) { return [] }
        let before = PropertyContents(old, key, declarations), after = PropertyContents(new, key, declarations)
        return Set(before.entries.keys).union(after.entries.keys).sorted(byName: \.rawValue).compactMap { key in
            let (old, new) = (before.entries[key], after.entries[key])
            if let old, let new, PropertyNode.isSame(old.node, new.node) { return nil }
            // Each value that was in the table or array, or is in it now, is a change by itself.
            if old == nil && before.tables.contains(key) || new == nil && after.tables.contains(key) { return nil }
            // A name may have no value although a source has it, because its placeholders have none.
            let cause = new == nil ? cause(of: key) : nil
            let inForce = (old ?? fallback(of: key, in: before), new ?? fallback(of: key, in: after))
            return PropertyChange(
                name: key.rawValue, old: old, new: new, origin: (new ?? old)?.node.origin,
                isSecret: old?.isSecret == true || new?.isSecret == true, inForce: inForce,
                error: cause.map { PropertyError($0, at: key.rawValue, expected: "a value", self) })
        }
    }

    /// Returns the default of a declared name, or nil if it has none. Inside a dictionary or an array, the default is in
    /// force while the table of the setting is there.
    private func fallback(of key: PropertyKey, in contents: PropertyContents) -> PropertyEntry? {
        guard let declaration = declaration(at: key.rawValue), !declaration.isRequired else { return nil }
        let table = PropertyKey(key.rawValue.parts(between: ".").dropLast().joined(separator: "."))
        if !declarations.node(key).isKey, !contents.tables.contains(table), contents.entries[table] == nil {
            return nil
        }
        let entry = declaration.defaultEntry
        return entry.node.isNull ? nil : entry
    }
}

/// All values in a node: the node itself, or the values in a table with contents.
private struct PropertyContents {
    /// The values by their names.
    private(set) var entries: [PropertyKey: PropertyEntry] = [:]
    /// The names of the tables and arrays that they are in.
    private(set) var tables: Set<PropertyKey> = []
    /// The declarations, by which the values inside arrays of tables are found. Their names have the indices. Nil if an
    /// array is one value.
    private let declarations: Declarations?

    init(_ node: PropertyNode?, _ key: PropertyKey?, _ declarations: Declarations? = nil) {
        self.declarations = declarations
        guard let node else { return }
        if let key {
            collect(node, key.rawValue)
        } else if case .table(let table) = node.value {
            for entry in table { collect(entry.node, entry.key) }
        }
    }

    private mutating func collect(_ node: PropertyNode, _ name: String) {
        switch opened(node, name).value {
        case .table(let table) where !table.isEmpty:
            tables.insert(PropertyKey(name))
            for entry in table { collect(entry.node, "\(name).\(entry.key)") }
        case .array(let nodes) where declarations != nil && nodes.contains(where: \.isTable):
            tables.insert(PropertyKey(name))
            for (index, node) in nodes.enumerated() { collect(node, "\(name)[\(index)]") }
        case .null: break
        default: entries[PropertyKey(name)] = PropertyEntry(name: name, node: node)
        }
    }

    /// Returns the node. If an array is declared, JSON in text of an untyped source becomes an array.
    private func opened(_ node: PropertyNode, _ name: String) -> PropertyNode {
        guard let declarations, case .text(let text) = node.value, text.begins(with: "["),
            declarations.root.descendant(path: name).mustBeArray
        else { return node }
        return node.list
    }
}

extension PropertySnapshot {
    /// Returns the changes of all properties since an earlier snapshot of the same store, sorted by name.
    package func changes(since former: PropertySnapshot) -> [PropertyChange<PropertyEntry>] {
        state.changes(of: nil, since: former.state.node(read: nil))
    }
}

// MARK: - What was read

extension ReadLog {
    /// Returns a log of the same names, with the nodes that they have now.
    package func repeated(in store: PropertyStore) -> ReadLog {
        let log = ReadLog(), state = store.snapshot.state
        for read in reads { [log].add(read.key, in: state) }
        return log
    }

    /// Ends the log.
    ///
    /// - Parameter store: the store that was read.
    /// - Returns: whether its current properties are the same as the ones that were read. Otherwise `changes(in:)` has
    ///   the differences.
    package func end(in store: PropertyStore) -> Bool {
        // In most cases, nothing has changed since the first read.
        endState() === store.current || [self].changes(in: store).isEmpty
    }
}

extension [ReadLog] {
    /// Returns the differences between the properties that were read and the properties of a store now, sorted by name.
    package func changes(in store: PropertyStore) -> [PropertyChange<PropertyEntry>] {
        let current = store.current
        var changes: [PropertyKey: PropertyChange<PropertyEntry>] = [:]
        for change in flatMap(\.reads).flatMap({ current.changes(of: $0.key, since: $0.node) }) {
            changes[PropertyKey(change.name)] = change
        }
        return changes.values.sorted(byName: \.name)
    }
}
