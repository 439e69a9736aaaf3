import TextBasics

/// Writes declared keys as the options of a command line.
struct HelpReference {
    /// The column of the descriptions.
    private static let indent = 26
    /// The smallest width that leaves room for descriptions.
    private static let minimumColumns = 40

    private let columns: Int
    private let keys: [DeclaredKey]
    private let declarations: Declarations
    /// Returns the variable by which the environment sets a name, or nil.
    private let environment: (String) -> String?

    /// An option.
    private struct Option {
        let key: DeclaredKey
        /// The condition under which a required setting is required, or nil if it always is.
        var condition: String?
    }

    /// Creates a reference of all declared keys but some.
    ///
    /// - Parameters:
    ///   - declarations: the declarations.
    ///   - columns: the maximum number of characters of a line.
    ///   - names: the flat names of the keys that are left out.
    ///   - environment: returns the variable by which the environment sets a name, or nil.
    init(
        _ declarations: Declarations, columns: Int, without names: Set<String>,
        environment: @escaping (String) -> String?
    ) {
        (self.declarations, self.environment) = (declarations, environment)
        self.columns = max(columns, Self.minimumColumns)
        keys = declarations.keys.filter { !names.contains($0.key.rawValue) }
    }

    /// The options, each with its description. It ends with a line break.
    var text: String {
        let all = keys.flatMap { [Option(key: $0)] + settings(in: $0.form, at: $0.key.rawValue, inside: []) }
        func letters(_ option: Option) -> PropertyKey { PropertyKey(RelaxedName.letters(of: option.key.key.rawValue)) }
        let same = Dictionary(grouping: all, by: letters)
        return all.map { text($0, same[letters($0)]?.count != 1) }.joined()
    }

    /// Returns the settings inside a value that variables and arguments can set.
    ///
    /// - Parameters:
    ///   - form: the form of the value.
    ///   - name: the flat name of the value.
    ///   - outer: the types that the value is inside.
    ///   - condition: when a required setting of the value is required.
    /// - Returns: the settings.
    private func settings(
        in form: Form, at name: String, inside outer: [Schema], _ condition: String = "if its table is set"
    ) -> [Option] {
        switch form.unwrapped {
        case .table(let schema):
            // The settings of a type that contains itself are listed once.
            if outer.contains(where: { $0 === schema }) { return [] }
            return schema.keys(at: name).flatMap {
                [Option(key: declarations.noted($0), condition: condition)]
                    + settings(in: $0.form, at: $0.key.rawValue, inside: outer + [schema])
            }
        case .dictionary(let values, _):
            return values.hasSettings
                ? settings(in: values, at: name + ".<key>", inside: outer, "in each table") : []
        case .array, .value, .optional: return []
        }
    }

    private func text(_ option: Option, _ isAmbiguous: Bool) -> String {
        let label = "  " + Self.label(of: option.key, isAmbiguous)
        let lines = PrintableText.wrapped(description(of: option), to: columns - Self.indent)
        let margin = String(repeating: " ", count: Self.indent)
        let isShort = label.count < Self.indent - 1
        let first = isShort ? label + margin.dropFirst(label.count) + (lines.first ?? "") : label
        let others = (isShort ? lines.dropFirst() : lines[...]).map { margin + $0 }
        return ([first] + others).map { $0 + "\n" }.joined()
    }

    private static func label(of key: DeclaredKey, _ isAmbiguous: Bool) -> String {
        let name =
            PrintableText.escaped("--" + (isAmbiguous ? key.key.rawValue : spelled(key)))
            + (key.form.isDictionary ? ".<key>" : "")
        return key.takesValue ? "\(name) <\(key.placeholder)>" : name
    }

    /// Returns the name as the messages write it. The key of a dictionary, and each name inside it, is a level of its own.
    private static func spelled(_ key: DeclaredKey) -> String {
        let name = key.key.rawValue
        if key.form.isDictionary || name.firstIndex(ofText: "<key>") != nil {
            return SettingNaming.snakeCase.keys(for: name).joined(separator: ".")
        }
        let isPlain = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._-".utf8.contains($0) }
        let words = SettingNaming.kebabCase.keys(for: name).joined(separator: "-").split(separator: "-")
        return isPlain && !words.isEmpty ? words.joined(separator: "-") : name
    }

    private func description(of option: Option) -> String {
        let key = option.key
        var notes: [String] = []
        if key.isRequired { notes.append("required\(option.condition.map { " \($0)" } ?? "")") }
        if key.defaultValue.map({ PropertyNode($0).isOpaque }) == true {
            // The help shows no description of a Swift value, because it is not a text that a source could have.
            notes.append("has a default")
        } else if let text = key.defaultText {
            notes.append("default: \(text)")
        }
        if key.isSecret { notes.append("secret") }
        if let note = key.formNote { notes.append(note) }
        let text = key.sentences + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
        return text + (environment(key.key.rawValue).map { " [env: \($0)]" } ?? "")
    }
}

extension DeclaredKey {
    /// Whether the option needs a value. A Boolean needs none, since a flag means true.
    fileprivate var takesValue: Bool {
        if case .value(let type) = form.unwrapped { type != Bool.self } else { true }
    }

    /// The note on how to write a list or a table as text, or nil for other values.
    fileprivate var formNote: String? {
        switch form.unwrapped {
        case .array(let element):
            if case .value = element.unwrapped {
                "with commas or as JSON"
            } else {
                "as JSON or in a file\(Self.keys(of: element))"
            }
        case .value(let type): Self.isTable(type) ? "in a file only" : nil
        case .table, .optional, .dictionary: nil
        }
    }

    /// The keys of the tables of an array, or an empty text for other elements.
    private static func keys(of element: Form) -> String {
        guard let schema = element.table else { return "" }
        let keys = schema.keys(at: nil).map { key in
            let value = key.takesValue ? " <\(key.placeholder)>" : ""
            return "\(key.key.rawValue)\(value)\(key.isRequired ? " required" : "")"
        }
        return "; keys of each table: \(keys.joined(separator: ", "))"
    }

    private static func isTable(_ type: Any.Type) -> Bool {
        PropertyValue.schema(of: type).contains { $0.0 == "type" && $0.1.plainText == "object" }
    }

    /// The name of the value in an option: the cases of an enum, or the name of the type.
    fileprivate var placeholder: String {
        switch form.unwrapped {
        case .dictionary(let values, _):
            guard case .value(let type) = values.unwrapped else { return Self.placeholder(values, "table") }
            return Self.placeholder(values, TypeName.word(type))
        case .array(let element):
            guard case .value(let type) = element.unwrapped else { return Self.placeholder(form, typeName) }
            return Self.placeholder(element, TypeName.word(type)) + ",..."
        case .table, .optional, .value: return Self.placeholder(form, typeName)
        }
    }

    private static func placeholder(_ form: Form, _ word: String) -> String {
        guard case .value(let type) = form.unwrapped else { return PrintableText.escaped(word) }
        let cases = PropertyValue.cases(of: type).map { value in
            if case .string(let text) = value { text } else { ValueText.short(value) }
        }
        return PrintableText.escaped(cases.isEmpty ? word : cases.joined(separator: "|"))
    }
}
