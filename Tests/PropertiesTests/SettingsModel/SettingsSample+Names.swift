import Properties
import PropertyLoadersEssentials
import TestSupport

extension SettingsSample {
    /// The texts of a document by the paths of their settings, or nil if variables cannot say all of it.
    func texts(of document: PropertyValue) -> [(path: [String], text: String)]? {
        let texts = Self.texts(.table { table }, document, name.split(separator: ".").map(String.init))
        return texts
    }

    private static func texts(
        _ form: ModelForm, _ value: PropertyValue, _ path: [String]
    ) -> [(path: [String], text: String)]? {
        var all: [(path: [String], text: String)] = []
        switch (form, value) {
        case (.optional(let form), _): return texts(form, value, path)
        case (.table(let table), .table(let entries)):
            for entry in entries {
                guard let inner = texts(table().fields, entry, [], path) else { return nil }
                all += inner
            }
        case (.dictionary(let form), .table(let entries)):
            for entry in entries {
                guard let inner = texts(form, entry.node.value, path + [entry.key]) else { return nil }
                all += inner
            }
        case (.value(.counts), .table(let entries)):
            all = entries.map { (path + [$0.key], json($0.node.value)) }
        case (.value, .string(let text)): return [(path, text)]
        case (_, .null): return nil
        default: return [(path, json(value))]
        }
        // Without a setting in it, a table has no name.
        return all.isEmpty && path.count > 1 ? nil : all
    }

    /// Returns the texts of an entry of a table, which may be at a former path of a setting.
    private static func texts(
        _ fields: [ModelTable.Field], _ entry: PropertyTable.Entry, _ outer: [String], _ path: [String]
    ) -> [(path: [String], text: String)]? {
        let keys = outer + [entry.key]
        if let field = fields.first(where: { [$0.key] == keys || $0.former == keys }) {
            return texts(field.form, entry.node.value, path + keys)
        }
        let isFormer = fields.contains { $0.former?.starts(with: keys) == true }
        guard isFormer, case .table(let inner) = entry.node.value else {
            return texts(.value(.text), entry.node.value, path + keys)
        }
        var all: [(path: [String], text: String)] = []
        for entry in inner {
            guard let texts = texts(fields, entry, keys, path) else { return nil }
            all += texts
        }
        return all
    }

    func differences(spelled texts: [(path: [String], text: String)], _ document: PropertyValue) throws -> [String] {
        let expected = verdict(document).shown
        let variables = texts.map { path, text in
            ("APP_" + path.map(Self.upper).joined(separator: "__"), text)
        }
        let arguments = texts.flatMap { path, text in ["--set", "\(path.joined(separator: "."))=\(text)"] }
        let loaders: [(String, any PropertyLoader)] =
            [
                (
                    "\(variables)",
                    EnvironmentPropertyLoader(prefix: "APP", environment: Dictionary(variables) { $1 })
                ), ("\(arguments)", CommandLinePropertyLoader(arguments: arguments)),
            ]
            + ownVariables(texts).map { variables in
                ("\(variables)", EnvironmentPropertyLoader(prefix: "APP", environment: variables))
            }
        return try loaders.compactMap { name, loader in
            let store = store()
            do {
                try store.start([loader], unknownKeys: .refused)
            } catch let error as ConfigurationErrors {
                return "\(error.lines)\n\(name)\n\(Self.json(document))"
            }
            let shown = try shown(store)
            return shown == expected ? nil : "model: \(expected)\nstore: \(shown)\n\(name)\n\(Self.json(document))"
        }
    }

    /// The variables of which one is that of a setting of its own: in place of the one with the prefix, and beside it.
    private func ownVariables(_ texts: [(path: [String], text: String)]) -> [[String: String]] {
        guard let own = ownName, let text = texts.first(where: { $0.path.joined(separator: ".") == "\(name).\(own)" })
        else { return [] }
        let all = Dictionary(
            texts.map { ("APP_" + $0.path.map(Self.upper).joined(separator: "__"), $0.text) }
        ) { $1 }
        var alone = all
        alone["APP_" + text.path.map(Self.upper).joined(separator: "__")] = nil
        return [
            alone.merging([Self.variable: text.text]) { $1 }, all.merging([Self.variable: "not this text"]) { $1 },
        ]
    }

    /// Returns a key as a variable spells it: `maxSize` is `MAX_SIZE`.
    private static func upper(_ key: String) -> String {
        key.reduce(into: "") { name, letter in
            if letter.isUppercase { name += "_" }
            name += letter == "-" ? "_" : letter.uppercased()
        }
    }
}
