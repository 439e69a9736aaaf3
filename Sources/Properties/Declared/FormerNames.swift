/// A table of settings that had another name in an earlier version.
struct MovedTable: Sendable {
    let old: [String]
    let new: [String]
    /// The names of the settings in the former table, and their names now.
    let names: [FormerPath]
}

/// A flat name that a setting had in an earlier version, and its flat name now.
struct FormerFlatName: Sendable {
    let old: String
    let new: String
}

extension SettingsDeclaration {
    /// Returns the move of a table whose settings had another flat name.
    static func move(_ schema: Schema, from old: String, to new: String?) -> MovedTable {
        let names = schema.fields.map { FormerPath(old: [$0.key], new: [$0.key]) } + schema.formerNames
        return MovedTable(old: old.path, new: new?.path ?? [], names: names)
    }

    /// Returns all former flat names of the settings in a table, but not the settings inside arrays and dictionaries.
    ///
    /// - Parameters:
    ///   - schema: the table.
    ///   - old: the names that the table had.
    ///   - new: its name now, or nil for all properties.
    /// - Returns: the former names with the current names.
    static func formerNames(_ schema: Schema, from old: [String], to new: String?) -> [FormerFlatName] {
        if old.isEmpty, !schema.attributes.holdsFormerNames { return [] }
        return schema.fields.flatMap { field in
            let name = new.joined(path: ".\(field.key)"), former = field.rule?.attributes.formerName
            var all = old.map { "\($0).\(field.key)" }
            if let former { all += old.map { "\($0).\(former)" } + [new.joined(path: ".\(former)")] }
            let inner: [FormerFlatName] =
                if case .table(let table) = field.form.unwrapped { formerNames(table, from: all, to: name) } else { [] }
            return all.map { FormerFlatName(old: $0, new: name) } + inner
        }
    }
}

extension Declarations {
    /// Returns the name that a property with a former name has now. Nil if the name is not a former name.
    func currentName(of name: String) -> String? {
        guard hasFormerNames else { return nil }
        var path = name.path, isFormer = false
        for table in moves {
            guard path.starts(with: table.old, by: { $0.isSame(as: $1) }) else { continue }
            let rest = path.dropFirst(table.old.count)
            guard let moved = Self.renamed(rest, table.names) else { continue }
            (path, isFormer) = (table.new + moved, true)
            break
        }
        var node = root, index = 0
        while index < path.count {
            if let renamed = Self.renamed(path[index...], node.schemas.flatMap(\.formerNames)) {
                (path, isFormer) = (path[..<index] + renamed, true)
            }
            node = node.child(path[index])
            index += 1
        }
        return isFormer ? path.joined(separator: ".") : nil
    }

    private static func renamed(_ path: ArraySlice<String>, _ names: [FormerPath]) -> [String]? {
        names.first { path.starts(with: $0.old, by: { $0.isSame(as: $1) }) }.map {
            $0.new + path.dropFirst($0.old.count)
        }
    }
}

// MARK: - Mistakes in declarations

extension Declarations {
    /// The problem with the former names, or nil.
    var formerNameMistake: String? {
        if !hasFormerNames { return nil }
        var current: [PropertyKey: String] = [:]
        for former in formerNames {
            if !root.descendant(former.old).isEmpty {
                return "'\(former.old)' is declared, but it is a former name of '\(former.new)', too"
            }
            if let other = current.updateValue(former.new, forKey: PropertyKey(former.old)),
                !other.isSame(as: former.new)
            {
                return "'\(former.old)' is a former name of '\(other)' and of '\(former.new)'"
            }
        }
        return nil
    }
}
