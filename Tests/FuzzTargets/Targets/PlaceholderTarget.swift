import PropertyLoaders

extension FuzzTarget {
    /// Each line of the input is a property: its name, `=` and a text with placeholders. `~` is a line break.
    static let placeholders = FuzzTarget("placeholders") { bytes in
        var texts: [[UInt8]: [UInt8]] = [:]
        for line in FuzzTarget.texts(in: bytes) {
            let parts = line.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].contains(UInt8(ascii: ".")) else { continue }
            texts[Array(parts[0])] = parts[1].map { $0 == UInt8(ascii: "~") ? 0x0A : $0 }
        }
        let expected = Result { () throws -> ModelValue in
            var model = PlaceholderModel(texts)
            return try model.values()
        }
        let pairs = texts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { name, text in
            (String(decoding: name, as: UTF8.self), PropertyValue.string(String(decoding: text, as: UTF8.self)))
        }
        // The order of the properties must not matter.
        try compare(PropertyTable(pairs), with: expected, count: bytes.count)
        try compare(PropertyTable(pairs.reversed()), with: expected, count: bytes.count)
    }

    /// Compares a store of texts, whose placeholders are replaced, with the model.
    private static func compare(
        _ table: PropertyTable, with expected: Result<ModelValue, any Error>, count: Int
    ) throws {
        let rules = PropertyPlaceholders(
            lookups: ["m": { $0 == "none" ? nil : .init($0) }], depthLimit: PlaceholderModel.depthLimit,
            sizeLimit: PlaceholderModel.sizeLimit)
        let layer = PropertyLayer(table, source: PropertySource(name: "fuzz"))
        let store = PropertyStore()
        do {
            try store.apply(FixedLoader(layer: layer).replacingPlaceholders(rules))
            if case .failure(PlaceholderModel.Exceeded.size) = expected { return }
            let value = ModelValue(.table(store.root))
            try require(
                (try? expected.get()) == value, "the values are \(value); expected \(expected)")
        } catch {
            if let violation = error as? Violation { throw violation }
            let errors = try loadErrors(in: error)
            for error in errors { try ErrorCheck(count).check(error) }
            try require(store.entries.isEmpty, "the store has changed")
            if case .success = expected, errors.contains(where: { $0.reason != .limit }) {
                throw Violation(description: "the model has values, and the error is: \(error)")
            }
        }
    }
}
