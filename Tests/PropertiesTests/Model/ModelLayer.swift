import Properties

/// The reason why a source, or a change of a store, is rejected.
struct ModelFailure: Error, Hashable {
    let reason: PropertyLoadError.Reason?

    /// The failure of a loader that throws an error other than a `PropertyLoadError`.
    static let foreign = ModelFailure(reason: nil)

    init(reason: PropertyLoadError.Reason?) { self.reason = reason }
    init(_ reason: PropertyLoadError.Reason) { self.reason = reason }
}

/// The keys that one source writes, each at its path.
struct ModelLayer: Sendable {
    struct Leaf: Sendable {
        var path: [Name]
        /// A plain value, null, an array, or an empty table for a table.
        var value: ModelValue
        /// Whether it is an empty dictionary that its source writes as empty text.
        var isEmptied = false
    }

    var leaves: [Leaf]
    let source: ModelSource

    init(_ source: ModelSource) throws(ModelFailure) {
        self.source = source
        switch source.kind {
        case .failing: throw .foreign
        case .json, .toml, .table, .literal: leaves = Self.leaves(of: source.entries, source)
        // Reflection leaves out values that are nil.
        case .dictionary, .fields: leaves = Self.leaves(of: Self.withoutNulls(source.entries), source)
        case .environment: leaves = Self.variables(source)
        case .dotEnv: leaves = Self.lastOfEachName(Self.variables(source))
        case .arguments: leaves = try Self.arguments(source)
        case .directory: leaves = Self.files(source)
        }
        // Variables of other programs may have the same name. Only the store knows which of them it loads.
        if !source.isShared { _ = try tree(0) }
        guard let prefix = source.prefix?.parts, !leaves.isEmpty else { return }
        for index in leaves.indices { leaves[index].path = prefix + leaves[index].path }
        leaves += prefix.indices.map { Leaf(path: Array(prefix[...$0]), value: .table([])) }
    }

    /// The tree of the layer. It is an error if a path occurs twice, unless both are tables.
    func tree(_ number: Int) throws(ModelFailure) -> ModelTree {
        var tree = ModelTree.table([:], isWritten: true, layer: number)
        for leaf in leaves { try tree.insert(leaf.value, at: leaf.path[...], number) }
        return tree
    }

    private static func leaves(of entries: [ModelEntry], _ source: ModelSource, at path: [Name] = []) -> [Leaf] {
        entries.enumerated().flatMap { index, entry -> [Leaf] in
            // If a table has a key twice, the last entry wins. The earlier one is dropped with everything below it.
            if entries[(index + 1)...].contains(where: { $0.key == entry.key }) { return [] }
            let path = path + (source.isFlat || path.isEmpty ? entry.key.parts : [entry.key])
            guard case .table(let inner) = entry.value else { return [Leaf(path: path, value: entry.value)] }
            return [Leaf(path: path, value: .table([]))] + leaves(of: inner, source, at: path)
        }
    }

    private static func withoutNulls(_ entries: [ModelEntry]) -> [ModelEntry] {
        entries.compactMap { entry in
            switch entry.value {
            case .null: nil
            case .table(let inner): ModelEntry(key: entry.key, value: .table(withoutNulls(inner)))
            default: entry
            }
        }
    }

    // With the prefix `APP`, the variable `APP_A__B` sets `a.b`: the prefix is removed and the rest is lowercased, unless
    // one of its letters is lower case. A dot in the variable's name, or two underscores between other characters, starts a
    // new level.
    private static func variables(_ source: ModelSource) -> [Leaf] {
        var prefix = source.variablePrefix
        if !prefix.isEmpty, !prefix.hasSuffix("_") { prefix += "_" }
        return source.entries.compactMap { entry in
            guard entry.key.text.hasPrefix(prefix), entry.key.text != prefix else { return nil }
            return Leaf(path: levels(of: entry.key.text.dropFirst(prefix.count)), value: entry.value)
        }
    }

    /// The keys that the name of a variable, without its prefix, leads through.
    static func levels(of variable: some StringProtocol) -> [Name] {
        let name = Array(variable.contains(where: \.isLowercase) ? String(variable) : variable.lowercased())
        var levels = [""]
        var position = 0
        while position < name.count {
            let isPair = name[position...].starts(with: "__")
            if name[position] == "." {
                levels.append("")
                position += 1
            } else if isPair, levels.last != "", position + 2 < name.count {
                levels.append("")
                position += 2
            } else {
                levels[levels.count - 1].append(name[position])
                position += 1
            }
        }
        return levels.map { Name($0) }
    }

    private static func lastOfEachName(_ leaves: [Leaf]) -> [Leaf] {
        leaves.enumerated().filter { index, leaf in
            !leaves[(index + 1)...].contains { Name(path: $0.path) == Name(path: leaf.path) }
        }.map(\.element)
    }

    private static func arguments(_ source: ModelSource) throws(ModelFailure) -> [Leaf] {
        for entry in source.entries where entry.key.parts.contains(Name("")) || entry.key.text.hasPrefix("-") {
            throw ModelFailure(.syntax)
        }
        return lastOfEachName(source.entries.map { Leaf(path: $0.key.parts, value: $0.value) })
    }

    /// Whether a file had text and is empty now, in a directory that is read again.
    func isEmptied(since former: ModelLayer) -> Bool {
        if source.kind != .directory || former.source.kind != .directory { return false }
        return leaves.contains { leaf in
            leaf.value == .text("") && former.leaves.contains { $0.path == leaf.path && $0.value != leaf.value }
        }
    }

    private static func files(_ source: ModelSource) -> [Leaf] {
        source.entries.filter { !$0.key.text.hasPrefix(".") }.map { Leaf(path: $0.key.parts, value: $0.value) }
    }
}

extension ModelTree {
    /// Inserts a value. Creates the missing tables along the path. Where the path leads through a value, it goes on beside
    /// that.
    fileprivate mutating func insert(
        _ value: ModelValue, at path: ArraySlice<Name>, _ layer: Int
    ) throws(ModelFailure) {
        guard let key = path.first else {
            switch self {
            case .table(let table, false, _) where !value.isTable: self = .leaf(value, beside: table, layer: layer)
            case .table(let table, _, _) where value.isTable: self = .table(table, isWritten: true, layer: layer)
            default: throw ModelFailure(.duplicate)
            }
            return
        }
        var inner = inner[key] ?? .table([:], isWritten: false, layer: layer)
        let isNew = self.inner[key] == nil && path.count == 1 && !value.isTable
        if isNew {
            inner = .leaf(value, beside: [:], layer: layer)
        } else {
            try inner.insert(value, at: path.dropFirst(), layer)
        }
        self.inner[key] = inner
    }
}
