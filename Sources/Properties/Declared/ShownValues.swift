// How the values of declared keys are shown.

extension Form {
    /// Returns a value as messages show it. Text of an untyped source becomes the number, the boolean or the list that
    /// a read returns. An enum's case that may be written in any case becomes its raw value. A wrong value does not
    /// change.
    func shown(_ node: PropertyNode) -> PropertyNode {
        var shown = node
        switch (self, node.value) {
        case (.optional, _) where node.isEmptyText(in: self): shown.value = .null
        case (.optional(let form), _): return form.shown(node)
        case (.array(let element), _):
            shown = node.list
            guard case .array(let nodes) = shown.value else { return shown }
            shown.value = .array(nodes.map { element.shown($0) })
        case (.dictionary(let form, _), .table(let table)):
            shown.value = .table(table.mapNodes { form.shown($0) })
        case (.table(let schema), .table(let table)):
            let entries = table.entries.map { entry in
                var entry = entry
                guard let field = schema.field(PropertyKey(entry.key)) else { return entry }
                if entry.node.isNull {
                    return PropertyTable.Entry(key: entry.key, node: field.defaultNode ?? entry.node)
                }
                entry.node = field.form.shown(entry.node)
                return entry
            }
            let keys = Set(table.entries.map { PropertyKey($0.key) })
            let others = schema.fields.filter { !keys.contains(PropertyKey($0.key)) }.compactMap { field in
                field.defaultNode.map { PropertyTable.Entry(key: field.key, node: $0) }
            }
            shown.value = .table(PropertyTable(entries: entries + others))
        case (.value(let type), _): return Self.shown(node.single, as: type)
        default: return node.single
        }
        return shown
    }

    /// Returns the settings in a value that `shown` has returned, each as an entry with its path. A value without a
    /// setting in it is one entry.
    func settings(in entry: PropertyEntry) -> [PropertyEntry] {
        let parts = parts(of: entry)
        return parts.isEmpty ? [entry] : parts.flatMap { $0.form.settings(in: $0.entry) }
    }

    /// Returns a value that `shown` has returned, and everything inside it down to the settings, with their paths.
    func tables(in entry: PropertyEntry) -> [PropertyEntry] {
        [entry] + parts(of: entry).flatMap { $0.form.tables(in: $0.entry) }
    }

    /// Returns the parts of a value that contain settings. It is empty for any other value.
    private func parts(of entry: PropertyEntry) -> [(form: Form, entry: PropertyEntry)] {
        func part(_ form: Form, _ step: String, _ node: PropertyNode) -> (form: Form, entry: PropertyEntry) {
            (form, PropertyEntry(name: entry.name + step, node: node))
        }
        switch (unwrapped, entry.node.value) {
        case (.table(let schema), .table(let table)):
            return table.uniqueEntries.map { inner in
                part(schema.field(PropertyKey(inner.key))?.form ?? .value(Any.self), ".\(inner.key)", inner.node)
            }
        case (.dictionary(let form, _), .table(let table)) where form.hasSettings:
            return table.uniqueEntries.map { part(form, ".\($0.key)", $0.node) }
        case (.array(let form), .array(let nodes)) where form.hasSettings:
            return nodes.enumerated().map { part(form, "[\($0)]", $1) }
        default: return []
        }
    }

    private static func shown(_ node: PropertyNode, as type: Any.Type) -> PropertyNode {
        let isCase = type is any CaseInsensitiveValue.Type, text: String
        switch node.value {
        case .text(let value): text = value
        case .string(let value) where isCase: text = value
        default: return node
        }
        func value<T>(_ type: T.Type) -> PropertyValue? {
            (try? Conversion.convert(node, to: type)).map { PropertyValue(default: $0) }
        }
        var shown = node
        switch value(type) {
        case .bool(let bool)?: shown.value = .bool(bool)
        case .integer(let integer)?: shown.value = .integer(integer)
        case .unsigned(let integer)?: shown.value = .unsigned(integer)
        case .bigInteger(let digits)?: shown.value = .bigInteger(digits)
        case .string(let name)? where isCase: shown.value = .string(name)
        // A `Decimal` may have more digits than a `Double`.
        case .double(let double)? where type is any BinaryFloatingPoint.Type || double.description.isSame(as: text):
            shown.value = .double(double)
        default: break
        }
        return shown
    }
}

extension Field {
    /// The default as it is shown: masked if it is secret, null if there is none, and nil if a source must have a value.
    var defaultNode: PropertyNode? {
        switch content {
        case .value(let rule):
            let key = DeclaredKey(PropertyKey(key), [rule], isSecret: false)
            return key.isRequired ? nil : key.defaultEntry.node
        case .table: return form.shown(PropertyNode(.table(PropertyTable([])), origin: DeclaredKey.defaultOrigin))
        }
    }
}
