/// The path that a setting or a table had in an earlier version, and its path now. Both begin at the same table. A
/// `FormerFlatName` begins at all properties.
struct FormerPath: Sendable {
    let old: [String]
    let new: [String]
}

// MARK: - Mistakes in settings types

extension Schema.Fields {
    /// The problem with the former name of a setting, or nil.
    var formerNameMistake: String? {
        for name in formerNames {
            let old = name.old.joined(separator: "."), subject = "the former name '\(old)' of '\(name.new[0])'"
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
