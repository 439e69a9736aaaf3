extension PropertyStore {
    /// All properties, or a table of them, as JSON text with secrets masked.
    ///
    /// - Parameter name: the flat name of the table, or nil for all properties. The empty name is that of the key `""`.
    /// - Returns: nil where there is no property of that name.
    public func json(at name: String? = nil) -> String? {
        let snapshot = snapshot
        guard let node = snapshot.table(name) else { return nil }
        return JsonText.text(node, name: name, layout: .lines) { snapshot.isSecret($0, $1.origin) }
    }
}
