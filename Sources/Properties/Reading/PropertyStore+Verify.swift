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
                let element = tree.elements[index]
                let name = tree.name(of: index)
                let origin = PropertyOrigin(source: element.node.origin.source, place: element.keyPlace)
                return PropertyError(unknown: name, at: origin, Candidates(written: name, names: free), self)
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
