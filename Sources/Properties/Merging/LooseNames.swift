/// Changes the names of loosely spelled layers to the spelling of the other layers.
///
/// All layers are changed before they are merged, so the order in which sources were applied does not matter.
struct LooseNames {
    private struct Spelling {
        let name: String
        let origin: PropertyOrigin?
    }

    /// The path of each name in the exactly spelled layers, and of each declared key.
    private var paths: [PropertyKey: [String]] = [:]
    /// The first few spellings of each folded name (see `fold`) in the exactly spelled layers and the declared keys.
    private var spellings: [PropertyKey: BoundedList<Spelling>] = [:]
    /// The size of the longest folded name in the loosely spelled layers, in bytes.
    private var longest = 0

    /// Changes the names of the loosely spelled layers to the spelling of the other layers and of the declared keys.
    ///
    /// A name that matches several others does not change.
    ///
    /// - Returns: the layers, and the error about the first name that is ambiguous or set twice, if there is one.
    static func spell(
        _ layers: [PropertyLayer], declared: Set<PropertyKey>
    ) -> (layers: [PropertyLayer], failure: PropertyLoadError?) {
        guard layers.indices.contains(where: { layers[$0].spelling == .loose }) else { return (layers, nil) }
        var names = LooseNames()
        names.longest = layers.lazy.filter { $0.spelling == .loose }.map { Self.longest($0.table) }.max() ?? 0
        for layer in layers where layer.spelling == .exact {
            names.add(layer.deduplicated().table, at: [], "", of: layer)
        }
        for key in declared { names.add(names.path(of: key), Self.fold(key.rawValue), nil) }
        var spelled = layers
        var failure: PropertyLoadError?
        for index in layers.indices where layers[index].spelling == .loose {
            spelled[index].table = names.spell(layers[index], &failure)
            spelled[index].spelling = .exact
        }
        return (spelled, failure)
    }

    private mutating func add(
        _ table: PropertyTable, at path: [String], _ prefix: String, of layer: PropertyLayer
    ) {
        for entry in table {
            // Skips names that are longer than any loose name, because they cannot match. Nested long keys would
            // otherwise need quadratic memory.
            let folded = prefix + Self.fold(entry.key)
            guard folded.utf8.count <= longest else { continue }
            let path = add(path + [entry.key], folded, entry.keyOrigin.known(in: layer.source))
            if case .table(let inner) = entry.node.value { add(inner, at: path, folded + ".", of: layer) }
        }
    }

    /// Adds a name, unless it has been added already.
    ///
    /// - Returns: the path of the first occurrence of the name. The paths of the names in a table begin with it, so
    ///   that each name has a single path.
    @discardableResult
    private mutating func add(_ path: [String], _ folded: String, _ origin: PropertyOrigin?) -> [String] {
        let name = path.joined(separator: ".")
        if let known = paths[PropertyKey(name)] { return known }
        paths[PropertyKey(name)] = path
        spellings[PropertyKey(folded), default: BoundedList(limit: ListLimit.names)]
            .append(Spelling(name: name, origin: origin))
        return path
    }

    /// Returns the path of a declared key: the path of the longest table in its name that a layer has, followed by the
    /// rest of the name.
    private func path(of key: PropertyKey) -> [String] {
        let parts = key.rawValue.parts(between: ".").map { String($0) }
        for count in parts.indices.dropFirst().reversed() {
            if let table = paths[PropertyKey(parts[..<count].joined(separator: "."))] { return table + parts[count...] }
        }
        return parts
    }

    /// Returns the size of the longest folded name in a table, in bytes.
    private static func longest(_ table: PropertyTable) -> Int {
        table.reduce(0) { longest, entry in
            let own = fold(entry.key).utf8.count
            guard case .table(let inner) = entry.node.value else { return max(longest, own) }
            return max(longest, own + 1 + Self.longest(inner))
        }
    }

    private func spell(_ layer: PropertyLayer, _ failure: inout PropertyLoadError?) -> PropertyTable {
        var builder = TableBuilder()
        for leaf in leaves(of: layer.table, at: []) {
            do throws(PropertyLoadError) {
                try insert(leaf, of: layer, into: &builder)
            } catch {
                failure = failure ?? error
                // The value is masked and keeps its own spelling, since the name that was meant may be secret. It is
                // left out if that spelling is taken, too.
                let masked = PropertyLayer(
                    PropertyTable(entries: [leaf.entry]), source: layer.source, isSecret: true)
                for entry in masked.table {
                    _ = try? builder.insert(entry.node, at: leaf.path, place: entry.keyPlace)
                }
            }
        }
        return builder.table
    }

    private func insert(
        _ leaf: (path: [String], entry: PropertyTable.Entry), of layer: PropertyLayer, into builder: inout TableBuilder
    ) throws(PropertyLoadError) {
        let origin = leaf.entry.keyOrigin.known(in: layer.source)
        let path = try spelled(leaf.path, at: origin)
        do throws(TableBuilder.Conflict) {
            try builder.insert(leaf.entry.node, at: path, place: leaf.entry.keyPlace)
        } catch {
            throw PropertyLoadError(
                .duplicate, "'\(path.joined(separator: "."))' is set twice", at: origin,
                remedy: "Leave one of them out",
                notes: [.init("the other is", at: error.origin.known(in: layer.source))])
        }
    }

    /// Returns a path in the spelling of the other layers. If they do not have the whole name, only its longest prefix
    /// that they have is changed.
    private func spelled(_ path: [String], at origin: PropertyOrigin) throws(PropertyLoadError) -> [String] {
        for count in path.indices.map({ $0 + 1 }).reversed() {
            let name = path.prefix(count).joined(separator: ".")
            guard let found = spellings[PropertyKey(Self.fold(name))] else { continue }
            if let same = paths[PropertyKey(name)] { return same + path.dropFirst(count) }
            guard found.rest == 0, found.elements.count == 1, let other = paths[PropertyKey(found.elements[0].name)]
            else {
                throw Self.ambiguity(of: name, found, at: origin)
            }
            return other + path.dropFirst(count)
        }
        return path
    }

    private func leaves(
        of table: PropertyTable, at path: [String]
    ) -> [(path: [String], entry: PropertyTable.Entry)] {
        table.flatMap { entry -> [(path: [String], entry: PropertyTable.Entry)] in
            if case .table(let inner) = entry.node.value, !inner.isEmpty {
                return leaves(of: inner, at: path + [entry.key])
            }
            return [(path + [entry.key], entry)]
        }
    }

    /// Returns a name in lowercase, without `_` and `-`.
    private static func fold(_ name: String) -> String {
        let bytes = name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func ambiguity(
        of name: String, _ found: BoundedList<Spelling>, at origin: PropertyOrigin
    ) -> PropertyLoadError {
        PropertyLoadError(
            .ambiguous, "the name '\(name)' may mean \(found.map { "'\($0.name)'" }.text)", at: origin,
            remedy: "Let all other sources spell the name in one way",
            notes: found.elements.compactMap { spelling in
                spelling.origin.map { .init("'\(spelling.name)' is at", at: $0) }
            })
    }
}
