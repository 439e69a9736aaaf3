import Properties
import PropertyLoadersEssentials
import TestSupport

extension SettingsSample {
    func differencesInHelp() throws -> [String] {
        let store = store()
        store.acceptUncheckedChanges()
        let extras = [extra?.name].compactMap(\.self)
        let lines = store.help().split(separator: "\n").filter { $0.hasPrefix("  --") }
        let options = lines.compactMap { $0.dropFirst(4).split(separator: " ").first.map(Self.letters) }.sorted()
        let expectedOptions = (Self.options(table, name, inside: []) + extras).map(Self.letters).sorted()
        var differences: [String] = []
        if options != expectedOptions { differences.append("help\nmodel: \(expectedOptions)\nstore: \(options)") }
        let names = store.values.map(\.name), expected = (Self.settings(table, name) + extras).sorted()
        if names != expected { differences.append("values\nmodel: \(expected)\nstore: \(names)") }
        return differences
    }

    /// Returns a name without its separators, which differ between --help and a source.
    private static func letters(_ name: some StringProtocol) -> String {
        name.lowercased().filter { !".-_".contains($0) }
    }

    /// The names of the settings that have a value without any source.
    private static func settings(_ table: ModelTable, _ name: String) -> [String] {
        table.fields.flatMap { field in
            if case .table(let table) = field.form { return settings(table(), "\(name).\(field.key)") }
            return field.fallback == nil ? [] : ["\(name).\(field.key)"]
        }
    }

    /// The options of a table, with the options of the tables that may be absent and of one table of a dictionary. A
    /// type that contains itself is listed once.
    private static func options(_ table: ModelTable, _ name: String, inside outer: [String]) -> [String] {
        table.fields.flatMap { field -> [String] in
            let name = "\(name).\(field.key)"
            if case .table(let table) = field.form { return options(table(), name, inside: []) }
            return [name + (isDictionary(field.form) ? ".<key>" : "")] + options(field.form, name, inside: outer)
        }
    }

    private static func options(_ form: ModelForm, _ name: String, inside outer: [String]) -> [String] {
        switch form {
        case .table(let table):
            let table = table()
            return outer.contains(table.name) ? [] : options(table, name, inside: outer + [table.name])
        case .optional(let form): return options(form, name, inside: outer)
        case .dictionary(let form): return options(form, name + ".<key>", inside: outer)
        case .array, .value: return []
        }
    }

    private static func isDictionary(_ form: ModelForm) -> Bool {
        switch form {
        case .optional(let form): isDictionary(form)
        case .dictionary, .value(.counts): true
        case .table, .array, .value: false
        }
    }
}
