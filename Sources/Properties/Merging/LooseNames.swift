/// Gives the names of loosely spelled sources the spelling that the other sources have.
///
/// This goes before merging, over all layers, so that it does not matter which source was applied first.
struct LooseNames {
    private struct Spelling {
        let name: String
        let origin: PropertyOrigin?
    }

    /// The paths of the exact sources' names.
    private var paths: [PropertyKey: [String]] = [:]
    /// The first spellings of the exact sources, by what is left of a name without case, `_` and `-`.
    private var spellings: [PropertyKey: BoundedList<Spelling>] = [:]
    /// The bytes of the longest loose name, folded in the same way.
    private var longest = 0

    /// Spells all layers as the exact ones among them and the declared keys do.
    ///
    /// A name that cannot be spelled, since it may mean several, stays as it is written.
    ///
    /// - Returns: the layers, and why the first such name could not be spelled.
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
            // What no loose name can mean is left out: all names of a long chain of long keys would take their bytes
            // squared.
            let folded = prefix + Self.fold(entry.key)
            guard folded.utf8.count <= longest else { continue }
            let path = add(path + [entry.key], folded, entry.keyOrigin.known(in: layer.source))
            if case .table(let inner) = entry.node.value { add(inner, at: path, folded + ".", of: layer) }
        }
    }

    /// Adds a name, unless it is known.
    ///
    /// - Returns: the name's path. The names in a table have the table's path, so that a spelled layer has one for each name.
    @discardableResult
    private mutating func add(_ path: [String], _ folded: String, _ origin: PropertyOrigin?) -> [String] {
        let name = path.joined(separator: ".")
        if let known = paths[PropertyKey(name)] { return known }
        paths[PropertyKey(name)] = path
        spellings[PropertyKey(folded), default: BoundedList(limit: ListLimit.names)]
            .append(Spelling(name: name, origin: origin))
        return path
    }

    /// The path of a declared key: that of the table that a source has it in, or would have, and the rest of its name.
    private func path(of key: PropertyKey) -> [String] {
        let parts = key.rawValue.parts(between: ".").map { String($0) }
        for count in parts.indices.dropFirst().reversed() {
            if let table = paths[PropertyKey(parts[..<count].joined(separator: "."))] { return table + parts[count...] }
        }
        return parts
    }

    /// The bytes of the longest name in a table, without case, `_` and `-`.
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
                // Its name may be that of a secret. Where its own spelling is taken too, it is left out.
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

    /// A path as the other sources spell it: the whole name, else the longest part of it that they have.
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
