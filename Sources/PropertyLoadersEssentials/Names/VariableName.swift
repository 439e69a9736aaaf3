import Properties

/// What the name of an environment variable says of a property.
enum VariableName {
    /// The path of the property that a variable sets, or nil where the variable does not begin with the prefix.
    ///
    /// `__` and `.` between two characters go one level down; the rest is lower-cased. A prefix may come without its
    /// last underscore.
    static func path(of variable: String, prefix: String) -> [String]? {
        let prefix = prefix.isEmpty || prefix.utf8.last == underscore ? prefix : prefix + "_"
        guard variable.begins(with: prefix), variable.utf8.count > prefix.utf8.count else { return nil }
        return levels(of: variable.utf8.dropFirst(prefix.utf8.count))
    }

    // What begins or ends a level is part of it, so that no level is empty: `__X` is one level, `A___B` is `a`, `_b`.
    private static func levels(of name: Substring.UTF8View) -> [String] {
        var levels: [[UInt8]] = [[]]
        var rest = name
        while let first = rest.first {
            let separator = rest.starts(with: [underscore, underscore]) ? 2 : first == UInt8(ascii: ".") ? 1 : 0
            if separator > 0, levels.last != [], !rest.dropFirst(separator).isEmpty {
                levels.append([])
                rest = rest.dropFirst(separator)
            } else {
                levels[levels.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return levels.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    private static let underscore = UInt8(ascii: "_")
}
