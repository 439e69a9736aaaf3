/// The names of all sources, with which the names of flat sources are converted to paths.
///
/// A flat source, such as the environment, has names and no paths: each dot starts a new table. If another source has
/// the name, or the first part of it, at a path with dots in its keys, the flat source uses that path. The names of
/// relaxed sources, whose spelling is `.relaxed`, are also matched as `RelaxedName` says. The layers of both are changed
/// before all are merged, so the order in which sources were applied does not matter.
struct KnownNames {
    private struct DottedPath {
        let path: [String]
        let origin: PropertyOrigin
    }

    /// The paths with a dot in one of their keys, by their flat names. All other names are split at each dot.
    private var dotted: [PropertyKey: DottedPath] = [:]
    /// The first contradiction, or nil: a name with two paths, a relaxed name that matches several others, or two names
    /// of a source of which only one can be set.
    private(set) var failure: PropertyLoadError?

    /// For relaxed sources: all names, and the first names that have the same letters.
    private var spellings = Spellings()
    private let declared: DeclaredNode
    /// The tables of the layers that are for this program alone, with their places. Empty unless another layer is not.
    private var tables: [PropertyKey: PropertyOrigin] = [:]
    /// Whether the current layer is not for this program alone, so that values in place of tables are passed over.
    private var isShared = false
    /// Whether a name of the current layer has become a single key with dots.
    private var keepsApart = false
    /// A warning about each value that was passed over.
    private(set) var warnings: [PropertyLoadError] = []

    /// Finds the paths of all names.
    ///
    /// - Parameters:
    ///   - layers: the layers. The names in flat layers are changed to the paths that other layers have for them.
    ///   - declared: what is declared. Relaxed names are matched with it, too.
    init(_ layers: inout [PropertyLayer], _ declared: Declarations) {
        self.declared = declared.root
        addDotted(in: layers)
        if !dotted.isEmpty {
            for index in layers.indices where layers[index].spelling == .flat {
                respell(&layers[index], relaxed: false)
            }
        }
        let relaxed = layers.indices.filter { layers[$0].spelling == .relaxed }
        if !relaxed.isEmpty {
            addSpellings(in: layers, declared)
            for index in relaxed where !layers[index].isShared { respell(&layers[index], relaxed: true) }
            // Last, because values in place of tables of the other layers are passed over.
            for index in relaxed where layers[index].isShared {
                if tables.isEmpty { for layer in layers where !layer.isShared { addTables(layer.table, nil) } }
                respell(&layers[index], relaxed: true)
            }
            // Their names may have taken a spelling with dots.
            for index in relaxed where layers[index].hasDots { addDotted(layers[index].table, at: [], isDotted: false) }
            (spellings, tables) = (Spellings(), [:])
        }
        if !dotted.isEmpty { for layer in layers { checkPaths(layer.table, at: []) } }
    }

    /// Finds the paths that have a dot in one of their keys. Those in sources that are not flat are preferred. A name in
    /// an environment without a prefix may be that of another program, so it gives no other name its path.
    private mutating func addDotted(in layers: [PropertyLayer]) {
        if !layers.contains(where: \.hasDots) { return }
        let preferred = layers.filter { $0.spelling == .exact }
        for layer in layers.filter({ $0.spelling != .exact }) + preferred where layer.hasDots && !layer.isShared {
            addDotted(layer.table, at: [], isDotted: false)
        }
    }

    /// Finds the spellings of the names in sources that are not relaxed, and of what is declared.
    private mutating func addSpellings(in layers: [PropertyLayer], _ declared: Declarations) {
        for layer in layers where layer.spelling != .relaxed { addSpellings(layer.table, "", letters: "") }
        for key in declared.keys {
            spellings.add(key.key.rawValue)
            for form in key.forms { spellings.add(form, below: key.key.rawValue) }
        }
    }

    /// Returns the path of a flat name. If no source has the name, it is split at its dots, after the longest part of it
    /// that a source has.
    func path(of name: String) -> [String] {
        let path = name.parts(between: ".").map { String($0) }
        return dotted.isEmpty ? path : known(path)
    }

    private func known(_ path: [String]) -> [String] {
        for count in path.indices.map({ $0 + 1 }).reversed() {
            let name = PropertyKey(path.prefix(count).joined(separator: "."))
            if let known = dotted[name] { return known.path + path.dropFirst(count) }
        }
        return path
    }
}

// MARK: - Collecting

extension KnownNames {
    /// Adds the paths with dots in their keys.
    private mutating func addDotted(_ table: PropertyTable, at path: [String], isDotted: Bool) {
        for entry in table.entries {
            let isDotted = isDotted || entry.key.contains(byte: .dot)
            let path = path + [entry.key]
            if isDotted {
                dotted[PropertyKey(path.joined(separator: "."))] = DottedPath(path: path, origin: entry.keyOrigin)
            }
            if case .table(let inner) = entry.node.value { addDotted(inner, at: path, isDotted: isDotted) }
        }
    }

    /// Finds the names that have another path with dots in its keys.
    private mutating func checkPaths(_ table: PropertyTable, at path: [String]) {
        for entry in table.entries {
            let path = path + [entry.key], name = path.joined(separator: ".")
            if let other = dotted[PropertyKey(name)], other.path != path {
                fail(
                    PropertyLoadError(
                        .duplicate, "two keys have the flat name '\(name)'", at: entry.keyOrigin,
                        remedy: "Write the name in one way only", notes: [.init("the other is at", at: other.origin)]))
            }
            if case .table(let inner) = entry.node.value { checkPaths(inner, at: path) }
        }
    }

    private mutating func addTables(_ table: PropertyTable, _ name: String?) {
        for entry in table.entries {
            guard case .table(let inner) = entry.node.value else { continue }
            let name = name.joined(path: ".\(entry.key)")
            tables[PropertyKey(name)] = entry.keyOrigin
            addTables(inner, name)
        }
    }

    private mutating func fail(_ error: PropertyLoadError) { failure = failure ?? error }

    private mutating func addSpellings(_ table: PropertyTable, _ prefix: String, letters: String) {
        for entry in table.entries {
            let letters = letters + RelaxedName.letters(of: entry.key)
            let name = prefix + entry.key
            spellings.add(name, letters, entry.keyOrigin)
            if case .table(let inner) = entry.node.value { addSpellings(inner, name + ".", letters: letters) }
        }
    }
}

// MARK: - Changing the names of flat layers

extension KnownNames {
    /// A value of a layer with its path in the spelling of the others.
    private struct NamedValue {
        let node: PropertyNode
        let path: [String]
        let entry: PropertyTable.Entry
    }

    /// Gives the names of a layer the paths that they have elsewhere.
    private mutating func respell(_ layer: inout PropertyLayer, relaxed: Bool) {
        let builder = TableBuilder()
        (isShared, keepsApart) = (layer.isShared, false)
        var values: [NamedValue] = []
        collect(layer.table, at: [], relaxed, into: &values)
        // Shorter names first, because a name inside a value may become a single key.
        let groups = Dictionary(grouping: values, by: \.path.count).sorted { $0.key < $1.key }
        for value in groups.flatMap(\.value) { insert(value, into: builder) }
        layer.values = builder.table
        layer.hasDots = layer.hasDots || keepsApart
        layer.values.adopt(layer.source ?? .unknown, layer.number)
    }

    private mutating func collect(
        _ table: PropertyTable, at path: [String], _ relaxed: Bool, into values: inout [NamedValue]
    ) {
        for entry in table.entries {
            // A variable's name with dots in one key excludes another variable, which may be passed over.
            let path = path + (isShared ? entry.key.parts(between: ".").map { String($0) } : [entry.key])
            guard case .table(let inner) = entry.node.value, !inner.isEmpty else {
                values.append(value(entry.node, at: path, entry, relaxed))
                continue
            }
            if entry.layer != PropertyTable.Entry.implied {
                values.append(value(PropertyNode([:], origin: entry.node.origin), at: path, entry, relaxed))
            }
            collect(inner, at: path, relaxed, into: &values)
        }
    }

    private mutating func value(
        _ node: PropertyNode, at path: [String], _ entry: PropertyTable.Entry, _ relaxed: Bool
    ) -> NamedValue {
        do throws(PropertyLoadError) {
            let path = try relaxed ? respelled(path, at: entry.keyOrigin) : known(path)
            return NamedValue(node: node, path: path, entry: entry)
        } catch {
            // The value keeps its own spelling. It is masked, because the name that was meant may be secret.
            fail(error)
            var marker = SecretMarker()
            return NamedValue(node: marker.node(node, levels: PropertyLayer.depthLimit), path: path, entry: entry)
        }
    }

    /// Inserts a value at its path.
    private mutating func insert(_ value: NamedValue, into builder: TableBuilder) {
        let (node, path, entry) = (value.node, value.path, value.entry)
        if isShared, let warning = passedOver(value) { return warnings.append(warning) }
        do throws(TableBuilder.Conflict) {
            try builder.insert(node, at: path, place: entry.keyPlace)
        } catch {
            let name = path.joined(separator: "."), isInside = error.depth < path.count
            if isInside, isShared || isKey(path[...]) && isKey(path.prefix(error.depth)),
                (try? builder.insert(node, at: [name], place: entry.keyPlace)) != nil
            {
                return keepsApart = true
            }
            fail(
                PropertyLoadError(
                    .duplicate,
                    "'\(name)' is set twice" + (isInside ? ", or is a value in one place and a table in another" : ""),
                    at: entry.keyOrigin, remedy: "Leave one of them out",
                    notes: [.init("the other is", at: error.origin)]))
        }
    }

    /// Returns the warning about a variable that probably belongs to another program, because its name is that of a table
    /// here. Nil if it does not.
    private func passedOver(_ value: NamedValue) -> PropertyLoadError? {
        let (node, name) = (value.node, value.path.joined(separator: "."))
        if node.isTable || node.isNull { return nil }
        let declared = value.path.reduce(declared) { $0.child($1) }
        let table = declared.isKey ? nil : tables[PropertyKey(name)]
        let isDeclared = declared.passesOver(node)
        if !isDeclared, table == nil { return nil }
        return PropertyLoadError(
            .ignored,
            "'\(name)' is a table \(isDeclared ? "of settings" : "in another source"), so this variable is not loaded",
            at: value.entry.keyOrigin, remedy: "Load the variables of this program only, by a prefix",
            notes: isDeclared ? [] : table.map { [.init("the table is at", at: $0)] } ?? [])
    }

    /// Whether a key is declared. If another one is declared inside it, as `ca.pub` beside `ca`, that is a single key with
    /// a dot in a source that sets both.
    private func isKey(_ path: ArraySlice<String>) -> Bool { path.reduce(declared) { $0.child($1) }.isKey }

    /// Returns a path in the spelling of the other layers and of the declarations. If they do not have the whole name,
    /// only its longest known prefix changes, and after it the names inside a declared value.
    private func respelled(_ path: [String], at origin: PropertyOrigin) throws(PropertyLoadError) -> [String] {
        for count in path.indices.map({ $0 + 1 }).reversed() {
            guard let name = try Self.name(path.prefix(count), among: spellings, at: origin) else { continue }
            let start = self.path(of: name), rest = path.dropFirst(count)
            return rest.isEmpty ? start : try start + respelled(rest, below: declared.descendant(name), at: origin)
        }
        return path
    }

    /// Returns a path inside a declared value in the spelling of its settings. The key of a dictionary stays as it is.
    private func respelled(
        _ path: ArraySlice<String>, below declared: DeclaredNode, at origin: PropertyOrigin
    ) throws(PropertyLoadError) -> [String] {
        guard let first = path.first else { return [] }
        if declared.isDictionary {
            return try [first] + respelled(path.dropFirst(), below: declared.child(first), at: origin)
        }
        for schema in declared.schemas {
            for count in (1...path.count).reversed() {
                guard let name = try Self.name(path.prefix(count), among: schema.spellings, at: origin) else {
                    continue
                }
                return try name.parts(between: ".").map { String($0) }
                    + respelled(path.dropFirst(count), below: declared.descendant(name), at: origin)
            }
        }
        return Array(path)
    }

    /// Returns the name that a spelling means, or nil if there is none.
    private static func name(
        _ path: ArraySlice<String>, among spellings: Spellings, at origin: PropertyOrigin
    ) throws(PropertyLoadError) -> String? {
        let name = path.joined(separator: ".")
        if spellings.has(name) { return name }
        let spelling = RelaxedName(name)
        guard let similar = spellings[spelling.letters] else { return nil }
        let found = similar.elements.filter { spelling.reaches(RelaxedName($0.name)) }
        if found.isEmpty { return nil }
        guard similar.rest == 0, found.count == 1 else {
            let declared = found.filter { $0.origin == nil }.sorted(byName: \.name)
            var names = BoundedList(found.filter { $0.origin != nil } + declared, limit: ListLimit.names)
            names.skip(similar.rest)
            throw ambiguity(of: name, names, at: origin)
        }
        return found[0].name
    }

    private static func ambiguity(
        of name: String, _ names: BoundedList<Spellings.Spelling>, at origin: PropertyOrigin
    ) -> PropertyLoadError {
        // Two names with the same levels cannot be told apart by a variable.
        let areApart = Set(names.elements.map { RelaxedName($0.name).dots }).count == names.elements.count
        return PropertyLoadError(
            .ambiguous, "the name '\(name)' may mean \(names.map { "'\($0.name)'" }.text)", at: origin,
            remedy: areApart
                ? "Write the exact name; in a variable, write __ for each dot and no other _"
                : "Let all other sources spell the name in one way",
            notes: names.elements.compactMap { spelling in
                spelling.origin.map { .init("'\(spelling.name)' is at", at: $0) }
            })
    }
}
