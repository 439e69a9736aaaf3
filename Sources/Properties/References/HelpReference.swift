/// Writes declared keys as the options of a command line.
struct HelpReference {
    /// The column of the descriptions.
    private static let indent = 26
    /// The smallest width that leaves room for descriptions.
    private static let minimum = 40

    private let columns: Int

    init(columns: Int) { self.columns = max(columns, Self.minimum) }

    func text(of keys: [DeclaredKey]) -> String { keys.map(option).joined() }

    private func option(_ key: DeclaredKey) -> String {
        let label = "  " + Self.label(of: key)
        let lines = Self.wrapped(Self.description(of: key), to: columns - Self.indent)
        let margin = String(repeating: " ", count: Self.indent)
        let isShort = label.count < Self.indent - 1
        let first = isShort ? label + margin.dropFirst(label.count) + (lines.first ?? "") : label
        let others = (isShort ? lines.dropFirst() : lines[...]).map { margin + $0 }
        return ([first] + others).map { $0 + "\n" }.joined()
    }

    private static func label(of key: DeclaredKey) -> String {
        let name = PrintableText.escaped("--" + key.key.rawValue)
        return key.takesValue ? "\(name) <\(key.placeholder)>" : name
    }

    private static func description(of key: DeclaredKey) -> String {
        var notes: [String] = []
        if key.isRequired { notes.append("required") }
        if let text = key.defaultText { notes.append("default: \(text)") }
        if key.isSecret { notes.append("secret") }
        if let note = key.formNote { notes.append(note) }
        let text = key.sentences + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
        return text
    }

    /// Returns lines of at most `width` characters. A longer word has a line of its own.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace).map({ PrintableText.escaped(String($0)) }) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}

extension DeclaredKey {
    /// Whether the option needs a value: a flag alone is true. An optional has the types of its value and null.
    fileprivate var takesValue: Bool { !jsonTypes.contains { $0.isSame(as: "boolean") } }

    /// The types that the schema has for the value.
    private var jsonTypes: [String] {
        switch schema.first(where: { $0.0 == "type" })?.1 {
        case .string(let type)?: [type]
        case .array(let types)?: types.compactMap(\.value.plainText)
        default: []
        }
    }

    /// The schema of the elements of a list, or nil for other values.
    private var items: PropertyTable? {
        if case .table(let items)? = schema.first(where: { $0.0 == "items" })?.1 { items } else { nil }
    }

    /// Whether the elements of a list are tables or lists.
    private var hasNestedItems: Bool {
        let type = items?["type"]?.value.plainText ?? ""
        return !elements.isEmpty || type.isSame(as: "object") || type.isSame(as: "array")
    }

    /// The note about the text that sets the value if that is a list or a table.
    fileprivate var formNote: String? {
        if jsonTypes.contains(where: { $0.isSame(as: "array") }) {
            return hasNestedItems ? "as JSON or in a file" : "with commas or as JSON"
        }
        return jsonTypes.contains { $0.isSame(as: "object") } ? "in a file only" : nil
    }

    /// The name of the value in an option: the cases of an enum, or the name of the type.
    fileprivate var placeholder: String {
        let name: String
        if let items, !hasNestedItems {
            name = Self.cases(items.map { ($0.key, $0.node.value) }) ?? Self.typeName(items)
            return PrintableText.escaped("\(name),...")
        }
        return PrintableText.escaped(Self.cases(schema) ?? valueName)
    }

    private static func cases(_ schema: [(String, PropertyValue)]) -> String? {
        for case ("enum", .array(let cases)) in schema {
            let names = cases.filter { !$0.isNull }.map { node in
                if case .string(let text) = node.value { text } else { ValueText.short(node.value) }
            }
            return names.joined(separator: "|")
        }
        return nil
    }

    /// The name of the type of the elements of a list.
    private static func typeName(_ items: PropertyTable) -> String {
        let type = items["type"]?.value.plainText ?? "value"
        // A type whose values are written as text, such as a duration, has a name of its own.
        guard type.isSame(as: "string"), let name = items["x-type"]?.value.plainText else { return type }
        return name.isSame(as: "URL") ? name : name.lowercased()
    }
}
