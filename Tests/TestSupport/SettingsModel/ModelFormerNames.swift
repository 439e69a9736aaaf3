package import Properties

extension ModelTable {
    /// Returns a document with each value under the name that it has now.
    package func current(_ document: PropertyValue) -> PropertyValue { ModelForm.table { self }.current(document) }

    fileprivate func current(_ entries: PropertyTable) -> PropertyTable {
        var new = Dictionary(entries.map { ($0.key, $0.node.value) }) { $1 }
        for field in fields {
            guard let former = field.former, let value = Self.take(former[...], from: &new) else { continue }
            new[field.key] = value
        }
        for field in fields { new[field.key] = new[field.key].map { field.form.current($0) } }
        return PropertyTable(new.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// Takes a value out, and the tables that are empty without it.
    private static func take(
        _ path: ArraySlice<String>, from entries: inout [String: PropertyValue]
    ) -> PropertyValue? {
        guard let key = path.first, let value = entries[key] else { return nil }
        if path.count == 1 { return entries.removeValue(forKey: key) }
        guard case .table(let table) = value else { return nil }
        var inner = Dictionary(table.map { ($0.key, $0.node.value) }) { $1 }
        guard let found = take(path.dropFirst(), from: &inner) else { return nil }
        entries[key] = inner.isEmpty ? nil : .table(PropertyTable(inner.map { ($0.key, $0.value) }))
        return found
    }
}

extension ModelForm {
    fileprivate func current(_ value: PropertyValue) -> PropertyValue {
        switch (self, value) {
        case (.optional(let form), _): form.current(value)
        case (.table(let table), .table(let entries)): .table(table().current(entries))
        case (.array(let form), .array(let nodes)): .array(nodes.map { PropertyNode(form.current($0.value)) })
        case (.dictionary(let form), .table(let entries)):
            .table(PropertyTable(entries.map { ($0.key, form.current($0.node.value)) }))
        default: value
        }
    }
}
