import Properties

/// What the name of an environment variable says of a property.
enum VariableName {
    /// The path of the property that a variable sets, or nil where the variable does not begin with the prefix.
    ///
    /// A dot, and `__` between two characters, go one level down; the rest is lower-cased. A prefix may come without its
    /// last underscore.
    static func path(of variable: String, prefix: String) -> [String]? {
        let prefix = prefix.isEmpty || prefix.utf8.last == underscore ? prefix : prefix + "_"
        guard variable.begins(with: prefix), variable.utf8.count > prefix.utf8.count else { return nil }
        return levels(of: variable.utf8.dropFirst(prefix.utf8.count))
    }

    // Underscores that begin or end a level are part of it: `__X` is one level, `A___B` is `a`, `_b`.
    private static func levels(of name: Substring.UTF8View) -> [String] {
        var levels: [[UInt8]] = [[]]
        var rest = name
        while let first = rest.first {
            let isBetween = levels.last != [] && rest.count > 2
            if first == UInt8(ascii: ".") {
                levels.append([])
                rest = rest.dropFirst()
            } else if isBetween, rest.starts(with: [underscore, underscore]) {
                levels.append([])
                rest = rest.dropFirst(2)
            } else {
                levels[levels.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return levels.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    private static let underscore = UInt8(ascii: "_")
}
