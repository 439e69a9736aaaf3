/// A path that a setting or a table had in an earlier version, and its path now. Both begin at the same table, or at
/// the root.
struct FormerPath: Sendable {
    let old: [String]
    let new: [String]
    /// The settings if it is the path of a table of settings. What else is in the former table keeps its name.
    var settings: Schema?

    var oldName: String { old.joined(separator: ".") }
    var newName: String { new.joined(separator: ".") }

    /// Returns the current path of a value, or nil if no part of its path is former. A key with dots may be a part of the
    /// former path.
    func current(of path: ArraySlice<String>) -> [String]? {
        var rest = path, keys: [String] = []
        while keys.count < old.count, let key = rest.popFirst() { keys += key.path }
        guard keys.starts(with: old, by: { $0.isSame(as: $1) }) else { return nil }
        let inner = keys.dropFirst(old.count) + rest
        return settings?.mayHave(inner) == false ? nil : new + inner
    }

    /// Whether a path is the beginning of the former path.
    func isBelow(_ path: ArraySlice<String>) -> Bool {
        path.count < old.count && old.starts(with: path) { $0.isSame(as: $1) }
    }
}

extension Schema {
    /// Whether a path leads to the table itself, or to a setting by its name or a former name.
    fileprivate func mayHave(_ path: ArraySlice<String>) -> Bool {
        guard let key = path.first?.path.first, field(PropertyKey(key)) == nil else { return true }
        return formerNames.contains { $0.current(of: path) != nil || $0.isBelow(path) }
    }
}

// MARK: - Mistakes in settings types

extension Schema.Fields {
    /// The problem with the former name of a setting, or nil.
    var formerNameMistake: String? {
        for name in formerNames {
            let subject = "the former name '\(name.oldName)' of '\(name.new[0])'"
            if name.old.contains("") { return "\(subject) has an empty part" }
            if let other = setting(at: name.old[...]) { return "\(subject) is the setting '\(other)', or inside it" }
            let same = formerNames.first {
                !$0.new[0].isSame(as: name.new[0]) && $0.old.starts(with: name.old, by: { $0.isSame(as: $1) })
            }
            if let same { return "\(subject) is also the former name of '\(same.new[0])', or contains it" }
        }
        return nil
    }

    /// Returns the setting at a path, or the setting that it leads through, or the table at the path. Nil if there is
    /// none.
    private func setting(at path: ArraySlice<String>) -> String? {
        guard let key = path.first, let field = all.first(where: { $0.key.isSame(as: key) }) else { return nil }
        guard let table = field.table, path.count > 1 else { return key }
        return Schema.Fields(table.fields).setting(at: path.dropFirst()).map { "\(key).\($0)" }
    }
}
