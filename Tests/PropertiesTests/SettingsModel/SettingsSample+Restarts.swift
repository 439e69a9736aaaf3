import Properties
import PropertyLoadersEssentials
import TestSupport

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
        Self.units(table, table.current(document), name, [])
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

    /// The names of the values that stay as they are when one document replaces another.
    func pending(_ old: PropertyValue, _ new: PropertyValue) -> [String] {
        zip(units(old), units(new)).compactMap { $0.shown == $1.shown ? nil : $0.name }.sorted()
    }

    func differences(reloading old: PropertyValue, _ new: PropertyValue) throws -> [String] {
        let file = Changing("c"), store = store()
        file.set(root(old))
        try store.start([file], unknownKeys: .refused)
        file.set(root(new))
        let names = Set(try store.reload().map(\.name)), expected = Set(pending(old, new))
        var differences: [String] = []
        // The types are not Equatable, so values in tables that are written in another way are different to the store.
        let rewritten = zip(units(old), units(new)).filter { $0.name != $1.name || $0.text != $1.text }.map(\.0.name)
        if !names.isSuperset(of: expected) || !names.isSubset(of: expected.union(rewritten)) {
            differences.append("model: \(expected.sorted()), maybe \(rewritten)\nstore: \(names.sorted())")
        }
        let before = table.current(old)
        let mixed = units(old).filter { expected.contains($0.name) }.reduce(table.current(new)) { document, unit in
            Self.setting(unit.path[...], of: document, to: Self.value(unit.path[...], of: before))
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
        try store.start([file], unknownKeys: .refused)
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

// MARK: - Many reloads

extension SettingsSample {
    /// After many reloads, some refused, a store equals a store that was made anew and reloaded once.
    mutating func differences(steps count: Int) throws -> [String] {
        let first = document(mistakes: nil), file = Changing("c"), store = store()
        file.set(root(first))
        try store.start([file], unknownKeys: .refused)
        for step in 0..<count {
            let document = document(mistakes: step % 3 == 1 ? 10 : nil)
            file.set(root(document))
            let isValid = verdict(document).findings.isEmpty
            let before = Self.state(of: store)
            do throws(ConfigurationErrors) {
                try store.reload()
                if !isValid { return ["step \(step) was not refused: \(Self.json(document))"] }
            } catch {
                if isValid { return ["step \(step): \(error.lines)\n\(Self.json(document))"] }
                if Self.state(of: store) != before { return ["step \(step) has changed the store"] }
                continue
            }
            let other = self.store(), otherFile = Changing("c")
            otherFile.set(root(first))
            try other.start([otherFile], unknownKeys: .refused)
            otherFile.set(root(document))
            try other.reload()
            let one = Self.state(of: store) + [try shown(store)], two = Self.state(of: other) + [try shown(other)]
            if one != two {
                let lines = ["step \(step)", "reloaded: \(one)", "made anew: \(two)", Self.json(first)]
                return [(lines + [Self.json(document)]).joined(separator: "\n")]
            }
        }
        return []
    }

    private static func state(of store: PropertyStore) -> [String] {
        store.entries.map(\.description) + store.values.map(\.description)
            + store.status.pendingRestart.map(\.description)
    }
}
