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

    init(_ keys: [DeclaredKey]) {
        self.keys = keys
        names = Set(keys.map(\.key))
    }

    /// The template, which ends with a line break.
    var text: String {
        var tables: [(path: [String], lines: [String])] = [([], [])]
        var places: [PropertyKey: Int] = [PropertyKey(""): 0]
        for key in keys {
            let parts = key.key.rawValue.parts(between: ".").map { TomlText.key(String($0)) }
            let isInside = isInside(key), path = isInside ? [] : Array(parts.dropLast())
            let name = PropertyKey(path.joined(separator: "."))
            let place = places[name] ?? tables.count
            places[name] = place
            if place == tables.count { tables.append((path, [])) }
            tables[place].lines += lines(of: key, isInside ? parts.joined(separator: ".") : parts.last ?? "", isInside)
        }
        let texts = tables.filter { !$0.lines.isEmpty }.sorted { $0.path.lexicographicallyPrecedes($1.path) }
            .map { ($0.path.isEmpty ? [] : ["", "[\($0.path.joined(separator: "."))]"]) + $0.lines }
        return Self.title + texts.joined().map { $0 + "\n" }.joined()
    }

    /// Whether a key is a part of the value of another one.
    private func isInside(_ key: DeclaredKey) -> Bool {
        let name = key.key.rawValue
        return name.utf8.indices.contains { index in
            name.utf8[index] == .dot && names.contains(PropertyKey(String(name[..<index])))
        }
    }

    private func lines(of key: DeclaredKey, _ name: String, _ isInside: Bool) -> [String] {
        let comment = HelpReference.wrapped(key.sentences, to: Self.columns - 2).map { "# \($0)" }
        let value = key.defaultValue.flatMap(TomlText.text)
        if let value, !isInside { return [""] + comment + ["#\(name) = \(value)"] }
        let notes = [
            key.isRequired ? "required" : nil, key.isSecret ? "secret" : nil,
            isInside ? "a part of another setting" : nil,
        ].compactMap(\.self)
        let note = notes.isEmpty ? "optional" : notes.joined(separator: ", ")
        return [""] + comment + ["# \(name) = \(value ?? "…")  (\(note))"]
    }
}
