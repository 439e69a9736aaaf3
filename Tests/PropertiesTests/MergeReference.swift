import Properties

/// The merge rules as slowly and plainly as they can be written: every path with what stands there.
struct MergeReference {
    struct Place {
        var text: String?
        var layer: Int
        var isTable: Bool { text == nil }
    }

    /// What there is, by path; a table has a place of its own beside those of its children.
    private(set) var places: [[String]: Place] = [:]
    private(set) var collided = false

    init(_ layers: [PropertyLayer]) {
        for (number, layer) in layers.enumerated() {
            var losers: [[String]] = []
            add(layer.table, at: [], layer.merge, number, &losers)
            for loser in losers { drop(loser, number) }
        }
    }

    /// Each place as `path=value`, sorted, with a slash between the elements of a path.
    var listing: [String] {
        places.map { "\($0.joined(separator: "/"))=\($1.text ?? "table")" }.sorted()
    }

    private mutating func add(
        _ table: PropertyTable, at parent: [String], _ rule: MergeRule, _ layer: Int, _ losers: inout [[String]]
    ) {
        for (index, entry) in table.enumerated() {
            // Of one key that stands twice the last counts.
            if table[(index + 1)...].contains(where: { $0.key == entry.key }) { continue }
            let path = parent + [entry.key]
            put(entry.node.value, at: path, rule, layer, &losers)
            if case .table(let inner) = entry.node.value { add(inner, at: path, rule, layer, &losers) }
        }
    }

    private mutating func put(
        _ value: PropertyValue, at path: [String], _ rule: MergeRule, _ layer: Int, _ losers: inout [[String]]
    ) {
        var new = Place(text: ValueText.short(value), layer: layer)
        if case .table = value { new.text = nil }
        let name = path.joined(separator: ".")
        if let old = places.keys.first(where: { $0.joined(separator: ".") == name }), let place = places[old] {
            if place.layer == layer { collided = true }
            let below = places.filter { $0.key.count > old.count && $0.key.starts(with: old) }
            for path in below.keys { places[path] = nil }
            places[old] = nil
            if rule == .deep, place.isTable, new.isTable {
                for (inner, place) in below { places[path + inner.dropFirst(old.count)] = place }
            }
            if old != path { losers.append(Array(old.dropLast())) }
        }
        places[path] = new
    }

    // A table that is empty since a child moved to another path goes away, unless the layer itself has it.
    private mutating func drop(_ path: [String], _ layer: Int) {
        guard let place = places[path], place.isTable, place.layer != layer,
            !places.keys.contains(where: { $0.count == path.count + 1 && $0.starts(with: path) })
        else { return }
        places[path] = nil
        drop(Array(path.dropLast()), layer)
    }
}
