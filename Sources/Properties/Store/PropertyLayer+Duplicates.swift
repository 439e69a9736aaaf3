extension PropertyLayer {
    /// The layer without the earlier ones of keys that stand twice in a table.
    func deduplicated() -> PropertyLayer {
        var layer = self
        layer.table = table.deduplicated()
        return layer
    }
}

extension PropertyTable {
    fileprivate func deduplicated() -> PropertyTable {
        var last: [PropertyKey: Int] = [:]
        for (index, entry) in enumerated() { last[PropertyKey(entry.key)] = index }
        let kept = enumerated().filter { last[PropertyKey($1.key)] == $0 }.map { _, entry in
            guard case .table(let table) = entry.node.value else { return entry }
            var entry = entry
            entry.node.value = .table(table.deduplicated())
            return entry
        }
        return PropertyTable(entries: kept)
    }
}
