// What is secret: all values of a secret source, and those whose keys were declared so.
extension PropertySnapshot {
    /// Whether an element is masked: one of this state, or of an earlier one of the same store.
    func isSecret(_ index: Int, of tree: PropertyTree) -> Bool {
        tree.elements[index].node.origin.source.isSecret
            || (!secretKeys.isEmpty && isDeclared(tree.name(of: index)))
    }

    /// Whether a value is masked, by its source or by its name.
    ///
    /// - Parameter name: the flat name, with the path inside arrays; nil for all properties.
    func isSecret(_ name: String?, _ origin: PropertyOrigin?) -> Bool {
        origin?.source.isSecret == true || name.map { isDeclared($0) } == true
    }

    private func isDeclared(_ name: String) -> Bool { Self.isDeclared(name, in: secretKeys) }

    /// Whether a name, or a table or array that it is in, was declared secret.
    static func isDeclared(_ name: String, in secretKeys: Set<PropertyKey>) -> Bool {
        guard !secretKeys.isEmpty else { return false }
        if secretKeys.contains(PropertyKey(name)) { return true }
        // By bytes, since a key may begin with what joins the dot before it; and no further than a secret's name goes,
        // since a key may be megabytes of dots.
        let longest = secretKeys.reduce(0) { max($0, $1.rawValue.utf8.count) }
        let bytes = name.utf8
        return bytes.indices.prefix(longest + 1).contains { index in
            (bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: "["))
                && secretKeys.contains(PropertyKey(String(decoding: bytes[..<index], as: UTF8.self)))
        }
    }

    /// Whether a value is masked or has one in it that is. A null in it hides nothing.
    ///
    /// The origin of a table is that of the last source which has the table, whatever that source has in it. So what is in
    /// the table decides.
    ///
    /// - Parameter name: the flat name, or nil for all properties.
    func holdsSecret(_ name: String?, _ node: PropertyNode) -> Bool {
        switch node.value {
        case .table(let table) where !table.isEmpty:
            return isSecret(name, nil)
                || table.contains { !$0.node.isNull && holdsSecret(name.joined(path: ".\($0.key)"), $0.node) }
        case .array(let nodes):
            return isSecret(name, node.origin)
                || nodes.contains { !$0.isNull && holdsSecret(name.joined(path: "[]"), $0) }
        default: return isSecret(name, node.origin)
        }
    }
}

extension PropertyLayer {
    /// Gives the layer secret sources throughout, where it says that it is secret and its sources do not.
    mutating func seal() {
        guard isSecret else { return }
        var seal = Seal(outer: source)
        values = seal.seal(values, levels: Self.depthLimit)
        warnings = warnings.map { seal.seal($0) }
        source = source.map { seal.source($0) }
    }
}

extension PropertyLoadError {
    /// The error with secret sources, of which it holds no text.
    package func sealed() -> PropertyLoadError {
        var seal = Seal(outer: origin.source)
        return seal.seal(self)
    }

    /// The error with all its words, and with sources of which it shows no line.
    func withoutLines() -> PropertyLoadError {
        PropertyLoadError(
            reason, problem, at: origin.withoutLines, expected: expected, remedy: remedy,
            notes: notes.map { .init($0.text, at: $0.origin.withoutLines) }, citation: citation)
    }
}

extension PropertyOrigin {
    fileprivate var withoutLines: PropertyOrigin { PropertyOrigin(source: source.withoutLines, place: place) }
}

/// Gives each node of a layer the secret twin of its source.
private struct Seal {
    private var twins: [ObjectIdentifier: PropertySource] = [:]
    private var outer = PropertySource.unknownSecret

    /// - Parameter outer: what stands for the source of a value that has none; nil where that is not known yet.
    init(outer: PropertySource?) {
        if let outer { self.outer = source(outer) }
    }

    mutating func source(_ source: PropertySource) -> PropertySource {
        if source === PropertySource.unknown || source === PropertySource.unknownSecret { return outer }
        if source.isSecret { return source }
        if let twin = twins[ObjectIdentifier(source)] { return twin }
        let twin = source.asSecret
        twins[ObjectIdentifier(source)] = twin
        return twin
    }

    mutating func seal(_ error: PropertyLoadError) -> PropertyLoadError {
        PropertyLoadError(
            error.reason, error.problem, at: seal(error.origin), expected: error.expected, remedy: error.remedy,
            notes: error.notes.map { .init($0.text, at: seal($0.origin)) }, citation: error.citation)
    }

    private mutating func seal(_ origin: PropertyOrigin) -> PropertyOrigin {
        PropertyOrigin(source: source(origin.source), place: origin.place)
    }

    /// - Parameter levels: how many tables and arrays may stand in each other; what is deeper is left out. No store takes it.
    mutating func seal(_ table: PropertyTable, levels: Int) -> PropertyTable {
        if levels == 0 { return PropertyTable() }
        var entries: [PropertyTable.Entry] = []
        for var entry in table {
            entry.node = seal(entry.node, levels: levels)
            entries.append(entry)
        }
        return PropertyTable(entries: entries)
    }

    private mutating func seal(_ node: PropertyNode, levels: Int) -> PropertyNode {
        var node = node
        node.origin = seal(node.origin)
        switch node.value {
        case .table(let table): node.value = .table(seal(table, levels: levels - 1))
        case .array(let nodes):
            var sealed: [PropertyNode] = []
            if levels > 1 { for inner in nodes { sealed.append(seal(inner, levels: levels - 1)) } }
            node.value = .array(sealed)
        default: break
        }
        return node
    }
}
