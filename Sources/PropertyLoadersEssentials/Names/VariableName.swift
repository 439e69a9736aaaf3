/// What the name of an environment variable says of a property.
enum VariableName {
    /// The path of the property that a variable sets, or nil where the variable does not begin with the prefix.
    ///
    /// `__` and `.` between two characters go one level down; the rest is lower-cased. A prefix may come without its
    /// last underscore.
    static func path(of variable: String, prefix: String) -> [String]? {
        let prefix = prefix.isEmpty || prefix.hasSuffix("_") ? prefix : prefix + "_"
        guard variable.utf8.starts(with: prefix.utf8), variable.utf8.count > prefix.utf8.count else { return nil }
        return levels(of: Substring(variable.utf8.dropFirst(prefix.utf8.count)))
    }

    // What begins or ends a level is part of it, so that no level is empty: `__X` is one level, `A___B` is `a`, `_b`.
    private static func levels(of name: Substring) -> [String] {
        var levels = [""]
        var rest = name
        while let first = rest.first {
            let separator = rest.hasPrefix("__") ? 2 : first == "." ? 1 : 0
            if separator > 0, levels.last != "", !rest.dropFirst(separator).isEmpty {
                levels.append("")
                rest = rest.dropFirst(separator)
            } else {
                levels[levels.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return levels.map { $0.lowercased() }
    }
}
