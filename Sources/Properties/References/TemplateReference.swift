import TextBasics

/// Writes declared keys as a TOML file that sets none of them.
struct TemplateReference {
    /// The maximum number of characters of a line of a comment.
    private static let columns = 100
    private static let title = """
        # A line that begins with # and no space has the default of a setting. To change it, remove the #.

        """

    /// The declared names. A key inside the value of another key cannot have a table of its own.
    private let names: Set<PropertyKey>
    private let keys: [DeclaredKey]
    private let declarations: Declarations

    init(_ declarations: Declarations) {
        (self.declarations, keys) = (declarations, declarations.keys)
        names = Set(keys.map(\.key))
    }

    /// A table of the file.
    private struct Table {
        let path: [String]
        var lines: [String] = []
        /// The contents of arrays and dictionaries, at the end, so that an example can be completed in its place.
        var examples: [String] = []

        var text: [String] {
            if lines.isEmpty { return [] }
            return (path.isEmpty ? [] : ["", "[\(path.joined(separator: "."))]"]) + lines + examples
        }
    }

    /// The template, which ends with a line break.
    var text: String {
        var tables = [Table(path: [])]
        var places: [PropertyKey: Int] = [PropertyKey(""): 0]
        for key in keys {
            let parts = Self.path(of: key), isInside = isInside(key), path = isInside ? [] : Array(parts.dropLast())
            let name = PropertyKey(path.joined(separator: "."))
            let place = places[name] ?? tables.count
            places[name] = place
            if place == tables.count { tables.append(Table(path: path)) }
            tables[place].lines += lines(of: key, isInside ? parts.joined(separator: ".") : parts.last ?? "", isInside)
            if !isInside { tables[place].examples += examples(of: key.form, at: parts, name: key.key.rawValue) }
        }
        let texts = tables.sorted { $0.path.lexicographicallyPrecedes($1.path) }.map(\.text)
        return Self.title + texts.joined().map { $0 + "\n" }.joined()
    }

    /// The keys of the tables that lead to a key, and the key itself.
    private static func path(of key: DeclaredKey) -> [String] {
        key.key.rawValue.parts(between: ".").map { TomlText.key(String($0)) }
    }

    /// Whether a key is a part of the value of another key.
    private func isInside(_ key: DeclaredKey) -> Bool {
        !names.isDisjoint(with: key.key.tables)
    }

    private func lines(of key: DeclaredKey, _ name: String, _ isInside: Bool) -> [String] {
        let comment = Self.comment(key, columns: Self.columns)
        if let value = Self.value(of: key), !isInside { return [""] + comment + ["#\(name) = \(value)"] }
        return [""] + comment + [Self.note(on: key, name, isInside ? ["a part of another setting"] : [])]
    }

    private static func comment(_ key: DeclaredKey, columns: Int) -> [String] {
        PrintableText.wrapped(key.sentences, to: columns - 2).map { "# \($0)" }
    }

    private static func value(of key: DeclaredKey) -> String? { key.defaultValue.flatMap(TomlText.text) }

    /// The comment in place of an assignment.
    private static func note(on key: DeclaredKey, _ name: String, _ others: [String] = []) -> String {
        let notes = [key.isRequired ? "required" : nil, key.isSecret ? "secret" : nil].compactMap(\.self) + others
        return "# \(name) = \(value(of: key) ?? "…")  (\(notes.isEmpty ? "optional" : notes.joined(separator: ", ")))"
    }
}

// MARK: - Examples

extension TemplateReference {
    /// The beginning of each line of an example. Without it, the example is a part of the file.
    private static let mark = "#   "

    /// Returns an example of each table that is inside a value, as comments.
    ///
    /// - Parameters:
    ///   - form: the form of the value.
    ///   - path: the path of the value.
    ///   - name: the flat name of the value. Nil in an array or a dictionary.
    ///   - isElement: whether the value is an element of an array.
    ///   - outer: the types that contain it. A type that contains itself is shown once.
    /// - Returns: the lines.
    private func examples(
        of form: Form, at path: [String], name: String?, isElement: Bool = false, inside outer: [Schema] = []
    ) -> [String] {
        switch form {
        case .optional(let form): return examples(of: form, at: path, name: name, isElement: isElement, inside: outer)
        // The contents of an array in an array have no name in TOML.
        case .array where isElement, .dictionary where isElement, .value: return []
        case .array(let element): return examples(of: element, at: path, name: nil, isElement: true, inside: outer)
        case .dictionary(let values, let keys):
            return examples(of: values, at: path + [Self.exampleKey(keys)], name: nil, inside: outer)
        case .table(let schema):
            if outer.contains(where: { $0 === schema }) { return [] }
            let title = path.joined(separator: "."), keys = declarations.settings(of: schema, at: name)
            let inner = keys.map { key in
                examples(
                    of: key.form, at: path + Self.path(of: key), name: name.map { "\($0).\(key.key)" },
                    inside: outer + [schema])
            }
            let lines = zip(keys, inner).flatMap { Self.example($0, hasExample: !$1.isEmpty) }
            return ["", "# For example:"]
                + ([isElement ? "[[\(title)]]" : "[\(title)]"] + lines).map { Self.mark + $0 } + inner.joined()
        }
    }

    /// The lines of a setting in an example. It cannot have both a value and an example of its own.
    private static func example(_ key: DeclaredKey, hasExample: Bool) -> [String] {
        let name = path(of: key).joined(separator: "."), comment = comment(key, columns: columns - mark.count)
        if hasExample { return comment + [note(on: key, name, ["see below"])] }
        return comment + [value(of: key).map { "\(name) = \($0)" } ?? note(on: key, name)]
    }

    /// A key of a dictionary.
    private static func exampleKey(_ type: Any.Type) -> String {
        if case .string(let first)? = PropertyValue.cases(of: type).first { return TomlText.key(first) }
        return type is any BinaryInteger.Type ? "1" : "NAME"
    }
}
