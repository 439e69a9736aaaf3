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
    let extra: ModelExtra?
    /// The name of a setting with a variable of its own, from the table of the type, or nil.
    let ownName: String?
    /// The former name of the table, or nil.
    let formerTable: String?
    /// The variable of the setting that has one of its own.
    static let variable = "OWN_VARIABLE"
    private var random: SplitMix

    init(seed: UInt64) {
        var random = SplitMix(state: seed)
        let settings = RandomSettingsType(&random), table = settings.table
        (self.settings, self.table) = (settings, table)
        name = ["f", "a.f", "a.b.f"].randomElement(using: &random) ?? "f"
        let names = ModelExtra.names(in: .table { table }, at: name).randomElement(using: &random)
        let isSecret = Bool.random(using: &random)
        extra = Bool.random(using: &random) ? names.map { ModelExtra(name: $0, isSecret: isSecret) } : nil
        ownName = Self.ownNames(.table { table }, nil).randomElement(using: &random)
        let isMoved = Int.random(in: 0..<3, using: &random) == 0
        formerTable = isMoved ? ["g", "a.g", "h.i.j"].randomElement(using: &random) : nil
        self.random = random
    }

    /// The names of the settings that may have a variable: those with a flat name.
    private static func ownNames(_ form: ModelForm, _ name: String?, depth: Int = 4) -> [String] {
        switch form {
        case .optional(let form): return ownNames(form, name, depth: depth)
        case .table(let table):
            return table().fields.flatMap { field -> [String] in
                let inner = name.map { "\($0).\(field.key)" } ?? field.key
                switch field.form {
                case .value, .optional(.value): return [inner]
                default: return depth > 0 ? ownNames(field.form, inner, depth: depth - 1) : []
                }
            }
        case .array, .dictionary, .value: return []
        }
    }

    /// A document with about one mistake in so many values, or with none for nil.
    mutating func document(mistakes: Int?) -> PropertyValue {
        var attempts = mistakes == nil ? 1_000 : 1
        while true {
            var random = RandomDocument(SplitMix(state: random.next()), mistakes: mistakes, extra)
            let document = random.document(table, at: name)
            attempts -= 1
            // The default of a setting that is left out can break a rule with the value of another one.
            if attempts == 0 || verdict(document).findings.isEmpty { return document }
        }
    }

    func verdict(_ document: PropertyValue) -> ModelVerdict {
        ModelVerdict(table.current(document), table, at: name, extra)
    }

    /// A store that declares the type.
    func store() -> PropertyStore {
        let store = PropertyStore()
        settings.declare(
            in: store, at: name, environment: ownName.map { [$0: Self.variable] } ?? [:], formerly: formerTable)
        if let extra { store.declare(TypedKey(extra.name, default: "", isSecret: extra.isSecret)) }
        return store
    }

    /// A document as a source has it: below the name of the table, or below its former name.
    func root(_ document: PropertyValue, below former: String? = nil) -> PropertyTable {
        let parts = (former ?? name).split(separator: ".").map(String.init)
        let root = parts.reversed().reduce(document) { .table(PropertyTable([($1, $0)])) }
        return if case .table(let table) = root { table } else { PropertyTable() }
    }

    func file(_ document: PropertyValue, below former: String? = nil) -> JsonPropertyLoader {
        JsonPropertyLoader(string: Self.json(.table(root(document, below: former))), name: "c.json")
    }

    static func json(_ value: PropertyValue) -> String {
        JsonText.text(PropertyNode(value), layout: .line)
    }

    func shown(_ store: PropertyStore) throws -> String {
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
        // What is beside the settings of a table does not move with it.
        let former = verdict.findings.isEmpty && extra == nil ? formerTable : nil
        try store.apply(file(document, below: former))
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

    static func finding(_ error: PropertyError) -> ModelVerdict.Finding {
        switch error.reason {
        case .unknownKey: .init(.unknown, error.name)
        case .missing: .init(.missing, error.name)
        case .brokenRule: .init(.broken, error.name)
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
            texts.append(("explain \(entry.name)", dumped(store.history(of: entry.name))))
            let explanation = try store.explain(entry.name)
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
