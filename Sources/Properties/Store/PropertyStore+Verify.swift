import Synchronization

extension PropertyStore {
    /// Checks all declared keys, that the sources have no others, and that they still go together.
    ///
    /// - Parameter unknownKeys: what becomes of properties that are neither declared nor in a declared table.
    /// - Throws: `PropertyErrors`, with every key that is missing or wrong, each with its place.
    public func verify(unknownKeys: UnknownKeys = .ignored) throws(PropertyErrors) {
        try verify([], unknownKeys)
    }

    /// Checks all declared keys, and those that a function reads: what it reads counts as declared.
    ///
    ///     try container.properties.verify(unknownKeys: .refused) { try container.verify() }
    ///
    /// - Parameters:
    ///   - unknownKeys: what becomes of properties that are neither read nor declared.
    ///   - body: reads what the service reads, such as by building all that it registers.
    /// - Throws: `PropertyErrors`, with every key that is missing or wrong, each with its place; else what `body` throws.
    public func verify(unknownKeys: UnknownKeys = .ignored, reads body: () throws -> Void) throws {
        let (notes, failure) = record.listen(to: body)
        try verify(notes, unknownKeys)
        if let failure { throw failure }
    }

    private func verify(_ notes: [ReadRecord.Note], _ unknownKeys: UnknownKeys) throws(PropertyErrors) {
        let snapshot = snapshot
        let declarations = snapshot.declarations
        let all = snapshot.conflicts + declarations.flatMap { $0.problems(in: snapshot) } + notes.compactMap(\.problem)
        // A key that is read in many places is told once, and so is what is wrong with the sources together.
        var told: Set<[PropertyKey]> = []
        let problems = all.filter { told.insert($0.identity).inserted }
        let known = Set(declarations.map(\.key)).union(notes.compactMap(\.key))
        let isAllRead = notes.contains { $0.key == nil }
        let refused = unknownKeys.take(isAllRead ? [] : snapshot.undeclared(known))
        guard problems.isEmpty, refused.isEmpty else { throw PropertyErrors(problems: problems + refused) }
    }
}

extension PropertySnapshot {
    /// The declarations of this store and those above, sorted by name.
    var declarations: [KeyDeclaration] {
        var all: [PropertyKey: KeyDeclaration] = [:]
        for snapshot in sequence(first: self, next: \.above) {
            for declaration in snapshot.state.declarations.values { all.add(declaration) }
        }
        return all.values.sorted { $0.key.rawValue.precedes($1.key.rawValue) }
    }

    /// What is wrong with the sources together, though each was good when it was applied.
    fileprivate var conflicts: [PropertyError] {
        failure.map { [PropertyError($0, at: nil, expected: "sources that go together", self)] } ?? []
    }

    /// The properties that nobody knows, each with the known names that no source has.
    fileprivate func undeclared(_ known: Set<PropertyKey>) -> [PropertyError] {
        let free = known.filter { find($0) == nil }.map(\.rawValue).sorted { $0.precedes($1) }
        let found = Set(known.compactMap { find($0) })
        return tree.elements.indices
            .filter { tree.elements[$0].firstChild == PropertyTree.none && !isIn(found, $0) }
            .map { index in
                let name = tree.name(of: index)
                let candidates = Candidates(written: name, names: free)
                return PropertyError(unknown: name, at: tree.keyOrigin(of: index), candidates, self)
            }
    }

    // A declared table is read as a whole.
    private func isIn(_ known: Set<Int>, _ index: Int) -> Bool {
        var current = Int32(index)
        while current != PropertyTree.none {
            if known.contains(Int(current)) { return true }
            current = tree.elements[Int(current)].parent
        }
        return false
    }
}

extension PropertyError {
    /// What two errors about one mistake have in common.
    fileprivate var identity: [PropertyKey] {
        (cause.map { [$0.description] } ?? [name, reason.description, expected]).map { PropertyKey($0) }
    }
}

/// What is read from a store and those above and below it while a check at start runs.
final class ReadRecord: Sendable {
    /// One read.
    struct Note: Sendable {
        /// What was read; nil for all properties.
        let key: PropertyKey?
        /// What was wrong, where somebody could not go on without the value or the value was not what was asked for.
        let problem: PropertyError?
    }

    private let listeners = Atomic(0)
    private let notes = Mutex<[Note]>([])

    /// Whether reads are to be noted: one relaxed load, which is all that this costs a read otherwise.
    @inline(__always)
    var isOn: Bool { listeners.load(ordering: .relaxed) > 0 }

    /// Notes a read of one property or table, or of all properties for nil.
    func add(_ key: PropertyKey?, _ problem: PropertyError?) {
        guard isOn else { return }
        notes.withLock { $0.append(Note(key: key, problem: problem)) }
    }

    /// Runs a function and gives what was read in the meantime, on any thread.
    func listen(to body: () throws -> Void) -> (notes: [Note], error: (any Error)?) {
        let first = notes.withLock { $0.count }
        listeners.add(1, ordering: .relaxed)
        var failure: (any Error)?
        do { try body() } catch { failure = error }
        let found = notes.withLock { Array($0[min(first, $0.count)...]) }
        if listeners.subtract(1, ordering: .relaxed).newValue == 0 {
            // Given out of the lock: a note holds a state, whose end may run a user's deinit.
            _ = notes.withLock { notes in
                defer { notes = [] }
                return notes
            }
        }
        return (found, failure)
    }
}
