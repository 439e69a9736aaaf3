extension PropertyStore {
    /// Checks all declared keys, and that the sources have no others.
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
        var problems = declarations.compactMap { $0.problem(snapshot) }
        // A key that is read in many places is told once.
        for problem in notes.compactMap(\.problem) where !problems.contains(where: { $0.isSame(as: problem) }) {
            problems.append(problem)
        }
        let known = Set(declarations.map(\.key)).union(notes.map(\.key))
        let refused = unknownKeys.take(snapshot.undeclared(known))
        guard problems.isEmpty, refused.isEmpty else { throw PropertyErrors(problems: problems + refused) }
    }
}

extension PropertySnapshot {
    /// The declarations of this store and those above, sorted by name.
    var declarations: [KeyDeclaration] {
        var all = state.declarations
        var next = above
        while let snapshot = next {
            all.merge(snapshot.state.declarations) { own, _ in own }
            next = snapshot.above
        }
        return all.values.sorted { $0.key.rawValue.utf8.lexicographicallyPrecedes($1.key.rawValue.utf8) }
    }

    /// The properties that nobody knows, each with the known names that no source has.
    fileprivate func undeclared(_ known: Set<PropertyKey>) -> [PropertyError] {
        let free = known.filter { find($0) == nil }.map(\.rawValue).sorted()
        return tree.elements.indices
            .filter { tree.elements[$0].firstChild == PropertyTree.none && !isKnown($0, known) }
            .map { index in
                let element = tree.elements[index]
                let name = tree.name(of: index)
                let origin = PropertyOrigin(source: element.node.origin.source, place: element.keyPlace)
                return PropertyError(unknown: name, at: origin, Candidates(written: name, names: free), self)
            }
    }

    // A declared table is read as a whole.
    private func isKnown(_ index: Int, _ known: Set<PropertyKey>) -> Bool {
        var current = Int32(index)
        while current != PropertyTree.none {
            if known.contains(PropertyKey(tree.name(of: Int(current)))) { return true }
            current = tree.elements[Int(current)].parent
        }
        return false
    }
}

extension PropertyError {
    fileprivate func isSame(as other: PropertyError) -> Bool {
        name == other.name && reason == other.reason && expected == other.expected
    }
}
