package import Properties

/// What the model says of a document for a settings type.
package struct ModelVerdict: Sendable {
    /// A mistake in the document.
    package struct Finding: Hashable, Comparable, Sendable, CustomStringConvertible {
        package enum Kind: String, Sendable { case unknown, wrong, missing, broken }
        package let kind: Kind
        /// The flat name, with the path inside an array.
        package let name: String

        package init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }

        package var description: String { "\(name) \(kind)" }
        package static func < (one: Finding, other: Finding) -> Bool { one.description < other.description }
    }

    package private(set) var findings: Set<Finding> = []
    /// The value as `ShownValue` writes it. It says nothing if there are findings.
    package private(set) var shown = ""
    /// The texts of the document that messages may show.
    package private(set) var open: Set<String> = []
    /// The texts of the document that are secret, or may be.
    package private(set) var hidden: Set<String> = []
    private let extra: ModelExtra?

    /// Judges a document.
    ///
    /// - Parameters:
    ///   - document: the table of the settings.
    ///   - table: the declarations of the settings type.
    ///   - name: the flat name of the table.
    ///   - extra: a key that is declared inside the table.
    package init(_ document: PropertyValue, _ table: ModelTable, at name: String, _ extra: ModelExtra? = nil) {
        self.extra = extra
        shown = read(.table { table }, document, name, isHidden: false)
    }
}

/// A key that is declared inside the table of a settings type, apart from it. It is text with a default.
package struct ModelExtra: Sendable {
    package let name: String
    package let isSecret: Bool

    package init(name: String, isSecret: Bool) { (self.name, self.isSecret) = (name, isSecret) }

    /// Returns the names that this kind of key may have, in tables, and in tables of the key `m` of dictionaries.
    package static func names(in form: ModelForm, at name: String, depth: Int = 4) -> [String] {
        switch form {
        case .table(let table) where depth > 0:
            ["\(name).extra"]
                + table().fields.flatMap { names(in: $0.form, at: "\(name).\($0.key)", depth: depth - 1) }
        case .optional(let form): names(in: form, at: name, depth: depth)
        case .dictionary(let form): names(in: form, at: "\(name).m", depth: depth)
        case .table, .array, .value: []
        }
    }
}

extension ModelVerdict {
    /// Whether something inside a place is secret, so that a value that is there by mistake may be.
    private func holdsSecret(_ form: ModelForm, _ name: String) -> Bool {
        form.holdsSecret || extra.map { $0.isSecret && $0.name.hasPrefix(name + ".") } == true
    }

    /// Returns the text of a value, and collects what is wrong with it.
    private mutating func read(
        _ form: ModelForm, _ value: PropertyValue, _ name: String, isHidden: Bool
    ) -> String {
        switch (form, value) {
        case (.optional, .null): return "nil"
        case (.optional(let form), _): return read(form, value, name, isHidden: isHidden)
        case (.table(let table), .table(let entries)): return read(table(), entries, name, isHidden)
        case (.array(let element), .array(let nodes)):
            let texts = nodes.enumerated().map { index, node in
                read(element, node.value, "\(name)[\(index)]", isHidden: isHidden)
            }
            return "[\(texts.joined(separator: ", "))]"
        case (.dictionary(let element), .table(let entries)):
            let kept = entries.filter { entry in
                if case .optional = element { return true }
                return !Self.isNull(entry.node.value)
            }
            let texts = kept.sorted { $0.key < $1.key }.map { entry in
                "\(entry.key): \(read(element, entry.node.value, "\(name).\(entry.key)", isHidden: isHidden))"
            }
            return "[\(texts.joined(separator: ", "))]"
        case (.value(let kind), _):
            collect(value, isHidden: isHidden)
            if let shown = kind.shown(value) { return shown }
            findings.insert(.init(.wrong, name + Self.pathToMistake(kind, value)))
            return ""
        default:
            collect(value, isHidden: isHidden || holdsSecret(form, name))
            findings.insert(.init(.wrong, name))
            return ""
        }
    }

    private mutating func read(
        _ table: ModelTable, _ entries: PropertyTable, _ name: String, _ isHidden: Bool
    ) -> String {
        let texts = table.fields.map { field in
            "\(field.key): \(read(field, entries[field.key]?.value, "\(name).\(field.key)", isHidden))"
        }
        for entry in entries where !table.fields.contains(where: { $0.key == entry.key }) {
            if Self.isNull(entry.node.value) { continue }
            let inner = "\(name).\(entry.key)"
            if let extra, extra.name == inner {
                collect(entry.node.value, isHidden: isHidden || extra.isSecret)
                if case .string = entry.node.value { continue }
                findings.insert(.init(.wrong, inner))
            } else {
                // It may be a secret whose name is misspelt.
                collect(entry.node.value, isHidden: isHidden || holdsSecret(.table { table }, name))
                findings.insert(.init(.unknown, inner))
            }
        }
        if let order = table.order { check(order, table, texts, entries, name) }
        return "{\(texts.joined(separator: ", "))}"
    }

    /// Compares two numbers, unless one of them is wrong by itself.
    private mutating func check(
        _ order: ModelTable.Order, _ table: ModelTable, _ texts: [String], _ entries: PropertyTable, _ name: String
    ) {
        let numbers = [order.low, order.high].compactMap { (key: String) -> Int? in
            guard let index = table.fields.firstIndex(where: { $0.key == key }) else { return nil }
            return Int(texts[index].dropFirst(key.count + 2))
        }
        guard numbers.count == 2, numbers[0] > numbers[1] else { return }
        // The error has the name of the first one that the document has.
        let isThere = entries[order.low].map { !Self.isNull($0.value) } ?? false
        findings.insert(.init(.broken, "\(name).\(isThere ? order.low : order.high)"))
    }

    private mutating func read(
        _ field: ModelTable.Field, _ value: PropertyValue?, _ name: String, _ isHidden: Bool
    ) -> String {
        if let value, !Self.isNull(value) {
            return read(field.form, value, name, isHidden: isHidden || field.isSecret)
        }
        // A table is always there.
        if case .table(let table) = field.form { return read(table(), PropertyTable(), name, isHidden) }
        if let fallback = field.fallback { return fallback }
        findings.insert(.init(.missing, name))
        return ""
    }

    private static func isNull(_ value: PropertyValue) -> Bool { if case .null = value { true } else { false } }

    /// The path from a value of a kind to the value in it that is wrong.
    private static func pathToMistake(_ kind: ModelKind, _ value: PropertyValue) -> String {
        func isWrong(_ node: PropertyNode) -> Bool { if case .integer = node.value { false } else { true } }
        switch (kind, value) {
        case (.numbers, .array(let nodes)): return nodes.firstIndex(where: isWrong).map { "[\($0)]" } ?? ""
        case (.counts, .table(let table)): return table.first { isWrong($0.node) }.map { ".\($0.key)" } ?? ""
        default: return ""
        }
    }

    /// Collects the texts in a value.
    private mutating func collect(_ value: PropertyValue, isHidden: Bool) {
        switch value {
        case .string(let text) where text.hasPrefix(RandomDocument.mark):
            if isHidden { hidden.insert(text) } else { open.insert(text) }
        case .array(let nodes): for node in nodes { collect(node.value, isHidden: isHidden) }
        case .table(let table): for entry in table { collect(entry.node.value, isHidden: isHidden) }
        default: break
        }
    }
}
