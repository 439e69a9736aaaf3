/// The names of a stack of sources, by which the names of flat sources find their paths.
///
/// A flat source, such as the environment, has names and no paths: each dot starts a new table. If another source has
/// the name, or the first part of it, at a path with dots in its keys, the flat source uses that path. The names of
/// relaxed sources are also matched as `RelaxedName` says. All layers are changed before they are merged, so the order in
/// which sources were applied does not matter.
struct KnownNames {
    private struct Place {
        let path: [String]
        let origin: PropertyOrigin
    }
    private struct Spelling {
        let name: String
        let origin: PropertyOrigin?
    }

    /// The paths with a dot in one of their keys, by their flat names. All other names are split at each dot.
    private var dotted: [PropertyKey: Place] = [:]
    /// The first contradiction, or nil: a name with two paths, or a relaxed name that matches several others.
    private(set) var failure: PropertyLoadError?

    // For relaxed sources only: all names, and the first names that have the same letters.
    private var names: Set<PropertyKey> = []
    private var spellings: [PropertyKey: BoundedList<Spelling>] = [:]

    /// The maximum number of names with the same letters that are compared. More of them are ambiguous.
    private static let spellingLimit = 50

    /// Finds the paths of all names.
    ///
    /// - Parameters:
    ///   - layers: the layers. The names in flat layers are changed to the paths that other layers have for them.
    ///   - declared: the declared keys. Relaxed names are matched with them, too.
    init(_ layers: inout [PropertyLayer], declared: () -> [PropertyKey]) {
        // The paths in sources that are not flat are preferred.
        let preferred = layers.filter { $0.spelling == .exact }
        for layer in layers.filter({ $0.spelling != .exact }) + preferred where layer.hasDots {
            addDotted(layer.table, at: [], isDotted: false)
        }
        if !dotted.isEmpty {
            for index in layers.indices where layers[index].spelling == .flat { place(&layers[index], relaxed: false) }
        }
        let relaxed = layers.indices.filter { layers[$0].spelling == .loose }
        if !relaxed.isEmpty {
            for layer in layers where layer.spelling != .loose { addSpellings(layer.table, "", letters: "") }
            for key in declared() { addSpelling(key.rawValue, RelaxedName.letters(of: key.rawValue), nil) }
        }
        for index in relaxed { place(&layers[index], relaxed: true) }
        // Their names may have taken another spelling.
        for index in relaxed where layers[index].hasDots { addDotted(layers[index].table, at: [], isDotted: false) }
        if !dotted.isEmpty { for layer in layers { checkPaths(layer.table, at: []) } }
        (names, spellings) = ([], [:])
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
            if let place = dotted[name] { return place.path + path.dropFirst(count) }
        }
        return path
    }
}

// MARK: - Collecting

extension KnownNames {
    /// Adds the paths with dots in their keys.
    private mutating func addDotted(_ table: PropertyTable, at path: [String], isDotted: Bool) {
        for entry in table.entries {
            let isDotted = isDotted || entry.key.utf8.contains(UInt8(ascii: "."))
            let path = path + [entry.key]
            if isDotted {
                dotted[PropertyKey(path.joined(separator: "."))] = Place(path: path, origin: entry.keyOrigin)
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

    private mutating func fail(_ error: PropertyLoadError) { failure = failure ?? error }

    private mutating func addSpellings(_ table: PropertyTable, _ prefix: String, letters: String) {
        for entry in table.entries {
            let letters = letters + RelaxedName.letters(of: entry.key)
            let name = prefix + entry.key
            addSpelling(name, letters, entry.keyOrigin)
            if case .table(let inner) = entry.node.value { addSpellings(inner, name + ".", letters: letters) }
        }
    }

    private mutating func addSpelling(_ name: String, _ letters: String, _ origin: PropertyOrigin?) {
        guard names.insert(PropertyKey(name)).inserted else { return }
        spellings[PropertyKey(letters), default: BoundedList(limit: Self.spellingLimit)]
            .append(Spelling(name: name, origin: origin))
    }
}

// MARK: - Changing the names of flat layers

extension KnownNames {
    private mutating func place(_ layer: inout PropertyLayer, relaxed: Bool) {
        let builder = TableBuilder()
        place(layer.table, at: [], relaxed, into: builder)
        layer.values = builder.table
        layer.values.adopt(layer.source ?? .unknown, layer.number)
    }

    private mutating func place(
        _ table: PropertyTable, at path: [String], _ relaxed: Bool, into builder: TableBuilder
    ) {
        for entry in table.entries {
            let path = path + [entry.key]
            guard case .table(let inner) = entry.node.value, !inner.isEmpty else {
                insert(entry.node, at: path, entry, relaxed, into: builder)
                continue
            }
            if entry.layer != PropertyTable.Entry.implied {
                insert(PropertyNode([:], origin: entry.node.origin), at: path, entry, relaxed, into: builder)
            }
            place(inner, at: path, relaxed, into: builder)
        }
    }

    /// Inserts a value at the path that other sources have for its name.
    private mutating func insert(
        _ node: PropertyNode, at path: [String], _ entry: PropertyTable.Entry, _ relaxed: Bool,
        into builder: TableBuilder
    ) {
        var (node, path) = (node, path)
        do throws(PropertyLoadError) {
            path = try relaxed ? spelled(path, at: entry.keyOrigin) : known(path)
        } catch {
            // The value keeps its own spelling. It is masked, because the name that was meant may be secret.
            fail(error)
            var marker = SecretMarker()
            node = marker.node(node, levels: PropertyLayer.depthLimit)
        }
        do throws(TableBuilder.Conflict) {
            try builder.insert(node, at: path, place: entry.keyPlace)
        } catch {
            fail(
                PropertyLoadError(
                    .duplicate, "'\(path.joined(separator: "."))' is set twice", at: entry.keyOrigin,
                    remedy: "Leave one of them out", notes: [.init("the other is", at: error.origin)]))
        }
    }

    /// Returns a path in the spelling of the other layers. If they do not have the whole name, only its longest prefix
    /// that they have is changed.
    private func spelled(_ path: [String], at origin: PropertyOrigin) throws(PropertyLoadError) -> [String] {
        for count in path.indices.map({ $0 + 1 }).reversed() {
            let name = path.prefix(count).joined(separator: ".")
            if names.contains(PropertyKey(name)) { return self.path(of: name) + path.dropFirst(count) }
            let spelling = RelaxedName(name)
            guard let similar = spellings[PropertyKey(spelling.letters)] else { continue }
            let found = similar.elements.filter { spelling.reaches(RelaxedName($0.name)) }
            if found.isEmpty { continue }
            guard similar.rest == 0, found.count == 1 else {
                let declared = found.filter { $0.origin == nil }.sorted(byName: \.name)
                var names = BoundedList(found.filter { $0.origin != nil } + declared, limit: ListLimit.names)
                names.skip(similar.rest)
                throw Self.ambiguity(of: name, names, at: origin)
            }
            return self.path(of: found[0].name) + path.dropFirst(count)
        }
        return path
    }

    private static func ambiguity(
        of name: String, _ names: BoundedList<Spelling>, at origin: PropertyOrigin
    ) -> PropertyLoadError {
        // A variable cannot tell names apart that have the same levels.
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
