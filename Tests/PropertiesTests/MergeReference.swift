import Properties

/// The merge rules as slowly and plainly as they can be written: every path with what is at it.
struct MergeReference {
    struct Place: Equatable {
        /// Nil for a table, which has a place of its own beside those of its children.
        var text: String?
        var layer: Int
        var isTable: Bool { text == nil }
        var isNull: Bool { text == "null" }
    }

    /// One node of a layer.
    private struct Node {
        let path: [String]
        let place: Place
        let isEmptyTable: Bool
        var name: String { path.joined(separator: ".") }
    }

    /// What is in the tree, by path.
    private(set) var places: [[String]: Place] = [:]
    /// Whether two paths of one layer have one flat name.
    private(set) var collided = false
    /// The names with a table over a plain value or the reverse, one for each time.
    private(set) var kindChanges: [String] = []
    /// What each name had after each layer that set it.
    private(set) var history: [String: [Place]] = [:]

    init(_ layers: [PropertyLayer]) {
        for (number, layer) in layers.enumerated() {
            let nodes = Self.nodes(of: layer.table, at: [], number)
            if Set(nodes.map(\.name)).count < nodes.count { collided = true }
            merge(nodes, layer.merge)
            for (path, place) in places where place.layer == number {
                history[path.joined(separator: "."), default: []].append(place)
            }
        }
    }

    /// Each place as `path=value (layer)`, sorted, with a slash between the elements of a path.
    func listing(_ layers: [PropertyLayer]) -> [String] {
        places.map { path, place in
            "\(path.joined(separator: "/"))=\(place.text ?? "table") (\(layers[place.layer].source?.name ?? ""))"
        }.sorted()
    }

    // Of a key that is twice in a table the last one counts.
    private static func nodes(of table: PropertyTable, at parent: [String], _ layer: Int) -> [Node] {
        table.enumerated().flatMap { index, entry -> [Node] in
            if table[(index + 1)...].contains(where: { $0.key == entry.key }) { return [] }
            let path = parent + [entry.key]
            guard case .table(let inner) = entry.node.value else {
                let place = Place(text: ValueText.short(entry.node.value), layer: layer)
                return [Node(path: path, place: place, isEmptyTable: false)]
            }
            let node = Node(path: path, place: Place(text: nil, layer: layer), isEmptyTable: inner.isEmpty)
            return [node] + nodes(of: inner, at: path, layer)
        }
    }

    private mutating func merge(_ nodes: [Node], _ rule: MergeRule) {
        let before = places
        let pathsBefore = Self.pathsByName(before)
        // 1. All below a node with a name of the layer goes, unless both are tables under the deep rule.
        var cleared: Set<[String]> = []
        for node in nodes {
            guard let path = pathsBefore[node.name], let place = before[path] else { continue }
            if place.isTable != node.place.isTable, !place.isNull, !node.place.isNull { kindChanges.append(node.name) }
            if rule == .firstLevel || !place.isTable || !node.place.isTable { cleared.insert(path) }
        }
        let left = before.filter { path, _ in !path.indices.contains { cleared.contains(Array(path[..<$0])) } }
        // 2. A name that is left keeps its path; a new one goes below its parent in the layer.
        let pathsLeft = Self.pathsByName(left)
        var final: [[String]: [String]] = [[]: []]
        for node in nodes {
            let key = node.path.last ?? ""
            final[node.path] = pathsLeft[node.name] ?? (final[node.path.dropLast()] ?? []) + [key]
        }
        places = left
        for node in nodes { places[final[node.path] ?? []] = node.place }
        // 3. No husks: a table that has something in the layer and nothing in the end.
        let isMerged = { (path: [String]) in rule == .deep && left[path]?.isTable == true }
        while let husk = nodes.first(where: { node in
            guard let path = final[node.path], node.place.isTable, !node.isEmptyTable else { return false }
            return places[path] == node.place && !hasChildren(path)
        }), let path = final[husk.path] {
            places[path] = isMerged(path) ? left[path] : nil
        }
    }

    private func hasChildren(_ path: [String]) -> Bool {
        places.keys.contains { $0.count == path.count + 1 && $0.starts(with: path) }
    }

    private static func pathsByName(_ places: [[String]: Place]) -> [String: [String]] {
        Dictionary(places.keys.map { ($0.joined(separator: "."), $0) }) { one, _ in one }
    }
}
