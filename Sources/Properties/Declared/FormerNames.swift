extension SettingsDeclaration {
    /// Returns all former flat names of the settings in a table, but not the settings inside arrays and dictionaries.
    ///
    /// - Parameters:
    ///   - schema: the table.
    ///   - old: the names that the table had.
    ///   - new: its name now, or nil for all properties.
    /// - Returns: the former names with the current names.
    static func formerNames(_ schema: Schema, from old: [String], to new: String?) -> [FormerPath] {
        if old.isEmpty, !schema.traits.contains(.formerNames) { return [] }
        return schema.fields.flatMap { field in
            let name = new.joined(path: ".\(field.key)"), former = field.rule?.attributes.formerName
            var all = old.map { "\($0).\(field.key)" }
            if let former { all += old.map { "\($0).\(former)" } + [new.joined(path: ".\(former)")] }
            let inner = field.form.table.map { formerNames($0, from: all, to: name) } ?? []
            return all.map { FormerPath(old: $0.path, new: name.path) } + inner
        }
    }
}

/// The current path of a value.
struct CurrentPath {
    var path: [String]
    /// The declarations at that path.
    var node: DeclaredNode
    /// Whether a part of the path that was asked for is a former name.
    var isFormer = false
}

extension DeclaredNode {
    /// Returns the current path of a value in the table at this path.
    func current(_ path: [String]) -> CurrentPath {
        var current = CurrentPath(path: path, node: self), index = 0
        while index < current.path.count {
            if let new = current.node.formerNames.firstCurrent(of: current.path[index...]) {
                (current.path, current.isFormer) = (current.path[..<index] + new, true)
            }
            let key = current.path[index], child = current.node.child(key)
            if child.isEmpty, key.contains(byte: .dot) {
                // A key with dots is the path of a value in inner tables.
                current.path.replaceSubrange(index...index, with: key.path)
            } else {
                (current.node, index) = (child, index + 1)
            }
        }
        return current
    }

    /// Whether a path in the table at this path is the beginning of a former path.
    func leadsToFormerNames(_ path: ArraySlice<String>) -> Bool {
        guard let key = path.first else { return false }
        return formerNames.contains { $0.isBelow(path) } || child(key).leadsToFormerNames(path.dropFirst())
    }

    private var formerNames: [FormerPath] { holdsFormerNames ? schemas.flatMap(\.formerNames) : [] }
}

extension [FormerPath] {
    fileprivate func firstCurrent(of path: ArraySlice<String>) -> [String]? {
        lazy.compactMap { $0.current(of: path) }.first
    }
}

extension Declarations {
    /// Returns the current path of a value.
    func current(_ path: [String]) -> CurrentPath {
        let moved = movedNames.firstCurrent(of: path[...])
        var current = root.current(moved ?? path)
        current.isFormer = current.isFormer || moved != nil
        return current
    }

    /// Whether a path is the beginning of a former path.
    func leadsToFormerNames(_ path: [String]) -> Bool {
        movedNames.contains { $0.isBelow(path[...]) } || root.leadsToFormerNames(path[...])
    }

    /// Returns the name that a property with a former name has now. Nil if the name is not a former name.
    func currentName(of name: String) -> String? {
        let current = hasFormerNames ? current(name.path) : nil
        return current.flatMap { $0.isFormer ? $0.path.joined(separator: ".") : nil }
    }
}

// MARK: - Mistakes in declarations

extension Declarations {
    /// The problem with the former names, or nil.
    var formerNameMistake: String? {
        if !hasFormerNames { return nil }
        var current: [PropertyKey: String] = [:]
        for former in formerNames {
            let (old, new) = (former.oldName, former.newName)
            if !root.descendant(old).isEmpty {
                return "'\(old)' is declared, but it is a former name of '\(new)', too"
            }
            if let other = current.updateValue(new, forKey: PropertyKey(old)), !other.isSame(as: new) {
                return "'\(old)' is a former name of '\(other)' and of '\(new)'"
            }
        }
        return nil
    }
}
