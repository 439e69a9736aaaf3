extension PropertyLayer {
    /// The layer with what may have a say in a name alone: the name, the tables on the way to it, what is below it.
    ///
    /// No key stands twice in a table of it.
    func related(to name: String) -> PropertyLayer {
        var layer = self
        layer.table = table.related(to: name.utf8[...])
        return layer.deduplicated()
    }
}

extension PropertyTable {
    fileprivate func related(to name: Substring.UTF8View) -> PropertyTable {
        PropertyTable(
            entries: compactMap { entry in
                let key = entry.key.utf8
                if key.starts(with: name) {
                    let isBelow = key.dropFirst(name.count).first == UInt8(ascii: ".")
                    if isBelow || key.count == name.count { return entry }
                }
                guard name.starts(with: key), name.dropFirst(key.count).first == UInt8(ascii: ".") else { return nil }
                guard case .table(let inner) = entry.node.value else { return entry }
                var entry = entry
                entry.node.value = .table(inner.related(to: name.dropFirst(key.count + 1)))
                return entry
            })
    }
}
