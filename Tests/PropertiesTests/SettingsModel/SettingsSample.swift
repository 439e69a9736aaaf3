import Properties
import PropertyLoadersEssentials
import TestSupport

/// A random settings type that is declared in a random table, maybe with another key inside.
struct SettingsSample {
    private let settings: RandomSettingsType
    var type: any ModelledSettings.Type { settings.type }
    let table: ModelTable
    /// The flat name of the table.
    let name: String
    private let extra: ModelExtra?
    private var random: SplitMix

    init(seed: UInt64) {
        var random = SplitMix(state: seed)
        let settings = RandomSettingsType(&random), table = settings.table
        (self.settings, self.table) = (settings, table)
        name = ["f", "a.f", "a.b.f"].randomElement(using: &random) ?? "f"
        let names = ModelExtra.names(in: .table { table }, at: name).randomElement(using: &random)
        let isSecret = Bool.random(using: &random)
        extra = Bool.random(using: &random) ? names.map { ModelExtra(name: $0, isSecret: isSecret) } : nil
        self.random = random
    }

    mutating func document(mistakes: Int?) -> PropertyValue {
        var document = RandomDocument(SplitMix(state: random.next()), mistakes: mistakes, extra)
        return document.document(table, at: name)
    }

    func verdict(_ document: PropertyValue) -> ModelVerdict { ModelVerdict(document, table, at: name, extra) }

    /// A store that declares the type.
    private func store() -> PropertyStore {
        let store = PropertyStore()
        settings.declare(in: store, at: name)
        if let extra { store.declare(TypedKey(extra.name, default: "", isSecret: extra.isSecret)) }
        return store
    }

    /// A document as a source has it: below the name of the table.
    private func root(_ document: PropertyValue) -> PropertyTable {
        let parts = name.split(separator: ".").map(String.init)
        let root = parts.reversed().reduce(document) { .table(PropertyTable([($1, $0)])) }
        return if case .table(let table) = root { table } else { PropertyTable() }
    }

    private func file(_ document: PropertyValue) -> JsonPropertyLoader {
        JsonPropertyLoader(string: Self.json(.table(root(document))), name: "c.json")
    }

    static func json(_ value: PropertyValue) -> String {
        JsonText.text(PropertyNode(value), layout: .line)
    }

    private func shown(_ store: PropertyStore) throws -> String {
        func read<T: ModelledSettings>(_ type: T.Type) throws -> String { try store.settings(type, at: name).shown }
        let type = self.type
        return try read(type)
    }
}

// MARK: - Values, mistakes and secrets

extension SettingsSample {
    func differences(_ document: PropertyValue, _ verdict: ModelVerdict) throws -> [String] {
        let store = store()
        store.acceptUncheckedChanges()
        try store.apply(file(document))
        var errors: ConfigurationErrors?
        do throws(ConfigurationErrors) { try store.verify(unknownKeys: .refused) } catch { errors = error }
        let found = Set((errors?.found ?? []).map(Self.finding))
        var differences: [String] = []
        if found != verdict.findings || errors?.found.count ?? 0 != found.count {
            differences.append(
                "model: \(verdict.findings.sorted())\nstore: \(errors.map { "\($0.lines)" } ?? "no errors")")
        } else if found.isEmpty {
            let shown = try shown(store)
            if shown != verdict.shown { differences.append("model: \(verdict.shown)\nstore: \(shown)") }
        }
        let texts = try texts(of: store, errors)
        for text in verdict.hidden.sorted() {
            let leaks = texts.filter { $0.text.contains(text) }
            if !leaks.isEmpty { differences.append("\(text) is in \(leaks.map(\.name)): \(leaks[0].text)") }
        }
        let json = try store.json() ?? ""
        for text in verdict.open.sorted() where !json.contains(text) {
            differences.append("\(text) is masked: \(json)")
        }
        return differences.map { "\($0)\n\(Self.json(document))\n\(extra.map { "\($0)" } ?? "")" }
    }

    private static func finding(_ error: PropertyError) -> ModelVerdict.Finding {
        switch error.reason {
        case .unknownKey: .init(.unknown, error.name)
        case .missing: .init(.missing, error.name)
        default: .init(.wrong, error.name)
        }
    }

    /// Everything that a store prints.
    private func texts(
        of store: PropertyStore, _ errors: ConfigurationErrors?
    ) throws -> [(name: String, text: String)] {
        var read: (any Error)?
        do { _ = try shown(store) } catch { read = error }
        let values: [(String, Any)] = [
            ("store", store), ("entries", store.entries), ("values", store.values), ("allValues", store.allValues),
            ("warnings", store.warnings), ("verify", errors as Any), ("settings", read as Any),
            ("long", errors?.found.map(\.overrode) as Any),
        ]
        var texts = values.map { ($0.0, dumped($0.1)) }
        texts += [
            ("json", try store.json() ?? ""), ("values.json", store.values.json), ("status", store.status.json),
            ("help", store.help()), ("schema", store.jsonSchema()), ("template", store.template()),
        ]
        for entry in store.entries {
            if let node = store.property(entry.name) as PropertyNode? {
                texts.append(("node \(entry.name)", dumped(node)))
            }
            texts.append(("explain \(entry.name)", dumped(store.explain(entry.name))))
            let explanation = try store.explanation(of: entry.name)
            texts.append(("explanation \(entry.name)", dumped(explanation) + explanation.json))
        }
        return texts
    }

    private func dumped(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        return text
    }
}

// MARK: - Names in variables and arguments

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
                let field = table().fields.first { $0.key == entry.key }
                guard let inner = texts(field?.form ?? .value(.text), entry.node.value, path + [entry.key])
                else { return nil }
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

    func differences(spelled texts: [(path: [String], text: String)], _ document: PropertyValue) throws -> [String] {
        let expected = verdict(document).shown
        let variables = texts.map { path, text in
            ("APP_" + path.map(Self.upper).joined(separator: "__"), text)
        }
        let arguments = texts.flatMap { path, text in ["--set", "\(path.joined(separator: "."))=\(text)"] }
        let loaders: [(String, any PropertyLoader)] = [
            (
                "\(variables)",
                EnvironmentPropertyLoader(prefix: "APP", environment: Dictionary(variables) { $1 })
            ), ("\(arguments)", CommandLinePropertyLoader(arguments: arguments)),
        ]
        return try loaders.compactMap { name, loader in
            let store = store()
            do {
                try store.applyAndVerify([loader], unknownKeys: .refused)
            } catch let error as ConfigurationErrors {
                return "\(error.lines)\n\(name)\n\(Self.json(document))"
            }
            let shown = try shown(store)
            return shown == expected ? nil : "model: \(expected)\nstore: \(shown)\n\(name)\n\(Self.json(document))"
        }
    }

    /// Returns a key as a variable spells it: `maxSize` is `MAX_SIZE`.
    private static func upper(_ key: String) -> String {
        key.reduce(into: "") { name, letter in
            if letter.isUppercase { name += "_" }
            name += letter == "-" ? "_" : letter.uppercased()
        }
    }
}

// MARK: - Restarts

extension SettingsSample {
    /// A value that is kept until a restart as a whole.
    private struct Unit {
        let name: String
        let path: [String]
        let shown: String
        /// The text in the document, or nil for the default.
        let text: String?
    }

    /// The values of a document that are kept until a restart as a whole.
    private func units(_ document: PropertyValue) -> [Unit] {
        Self.units(table, document, name, [])
    }

    private static func units(
        _ table: ModelTable, _ document: PropertyValue, _ name: String, _ path: [String]
    ) -> [Unit] {
        // A null is the same as an empty table.
        let entries = if case .table(let entries) = document { entries } else { PropertyTable() }
        return table.fields.flatMap { field -> [Unit] in
            let inner = "\(name).\(field.key)", path = path + [field.key]
            let value = entries[field.key]?.value
            if case .table(let table) = field.form { return units(table(), value ?? [:], inner, path) }
            guard field.needsRestart || field.form.needsRestart else { return [] }
            let alone = ModelVerdict(
                .table(PropertyTable([(field.key, value ?? .null)])), ModelTable("", [field]), at: name)
            let shown = String(alone.shown.dropFirst(field.key.count + 3).dropLast())
            // What is not there is the same as the default.
            let isThere = value.map { if case .null = $0 { false } else { true } } ?? false
            let text = isThere && shown != field.fallback ? value.map { Self.json($0) } : nil
            return [Unit(name: inner, path: path, shown: shown, text: text)]
        }
    }

    /// The names of the values that stay as they are when one document replaces another one.
    func pending(_ old: PropertyValue, _ new: PropertyValue) -> [String] {
        zip(units(old), units(new)).compactMap { $0.shown == $1.shown ? nil : $0.name }.sorted()
    }

    func differences(reloading old: PropertyValue, _ new: PropertyValue) throws -> [String] {
        let file = Changing("c"), store = store()
        file.set(root(old))
        try store.applyAndVerify([file], unknownKeys: .refused)
        file.set(root(new))
        let names = Set(try store.reload().map(\.name)), expected = Set(pending(old, new))
        var differences: [String] = []
        // The types are not Equatable, so values in tables that are written in another way are different to the store.
        let rewritten = zip(units(old), units(new)).filter { $0.name != $1.name || $0.text != $1.text }.map(\.0.name)
        if !names.isSuperset(of: expected) || !names.isSubset(of: expected.union(rewritten)) {
            differences.append("model: \(expected.sorted()), maybe \(rewritten)\nstore: \(names.sorted())")
        }
        let mixed = units(old).filter { expected.contains($0.name) }.reduce(new) { document, unit in
            Self.setting(unit.path[...], of: document, to: Self.value(unit.path[...], of: old))
        }
        let (found, model) = (try shown(store), verdict(mixed).shown)
        if found != model { differences.append("model: \(model)\nstore: \(found)") }
        return differences.map { "\($0)\nold: \(Self.json(old))\nnew: \(Self.json(new))" }
    }

    /// A reload with a mistake is refused, also if the mistake is in what would be kept until a restart.
    func differences(refusing wrong: PropertyValue, after old: PropertyValue) throws -> [String] {
        let verdict = verdict(wrong)
        if verdict.findings.isEmpty { return [] }
        let file = Changing("c"), store = store()
        file.set(root(old))
        try store.applyAndVerify([file], unknownKeys: .refused)
        let before = try shown(store)
        file.set(root(wrong))
        var found: Set<ModelVerdict.Finding> = []
        do throws(ConfigurationErrors) { try store.reload() } catch { found = Set(error.found.map(Self.finding)) }
        let texts = ["old: \(Self.json(old))", "new: \(Self.json(wrong))"]
        if found != verdict.findings {
            return [
                (["reload", "model: \(verdict.findings.sorted())", "store: \(found.sorted())"] + texts).joined(
                    separator: "\n")
            ]
        }
        return try shown(store) == before ? [] : ["a refused reload has changed the values"] + texts
    }

    private static func value(_ path: ArraySlice<String>, of document: PropertyValue) -> PropertyValue? {
        guard let key = path.first else { return document }
        guard case .table(let table) = document, let node = table[key] else { return nil }
        return value(path.dropFirst(), of: node.value)
    }

    private static func setting(
        _ path: ArraySlice<String>, of document: PropertyValue, to value: PropertyValue?
    ) -> PropertyValue {
        guard let key = path.first else { return value ?? .null }
        var entries: [(String, PropertyValue)] = []
        var inner: PropertyValue = [:]
        if case .table(let table) = document {
            entries = table.filter { $0.key != key }.map { ($0.key, $0.node.value) }
            if let node = table[key], case .table = node.value { inner = node.value }
        }
        let new = path.count == 1 ? value ?? .null : setting(path.dropFirst(), of: inner, to: value)
        return .table(PropertyTable(entries + [(key, new)]))
    }
}

// MARK: - Help and values in force

extension SettingsSample {
    func differencesInHelp() throws -> [String] {
        let store = store()
        store.acceptUncheckedChanges()
        let extras = [extra?.name].compactMap(\.self)
        let lines = store.help().split(separator: "\n").filter { $0.hasPrefix("  --") }
        let options = lines.compactMap { $0.dropFirst(4).split(separator: " ").first.map(String.init) }.sorted()
        let expectedOptions = (Self.options(table, name, inside: []) + extras).sorted()
        var differences: [String] = []
        if options != expectedOptions { differences.append("help\nmodel: \(expectedOptions)\nstore: \(options)") }
        let names = store.values.map(\.name), expected = (Self.settings(table, name) + extras).sorted()
        if names != expected { differences.append("values\nmodel: \(expected)\nstore: \(names)") }
        return differences
    }

    /// The names of the settings that have a value without any source.
    private static func settings(_ table: ModelTable, _ name: String) -> [String] {
        table.fields.flatMap { field in
            if case .table(let table) = field.form { return settings(table(), "\(name).\(field.key)") }
            return field.fallback == nil ? [] : ["\(name).\(field.key)"]
        }
    }

    /// The options of a table, with those of the tables that may be absent and of one table of a dictionary. A type that
    /// contains itself is listed once.
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
