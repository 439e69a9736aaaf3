import PropertyLoaders

extension FuzzTarget {
    /// The input selects the keys and values of a tree. Written as JSON, TOML, an XML property list and a `.env` file,
    /// the tree reads back the same, except for what a format cannot express.
    ///
    /// Most of the writers belong to the tool, whose code no other target can import. The link `Formats` adds their
    /// files to this target.
    static let writing = FuzzTarget("writing") { bytes in
        var generator = TreeGenerator(bytes)
        let check = WritingCheck(table: generator.table())
        try check.json()
        try check.toml()
        try check.plist()
        try check.dotEnv()
    }
}

/// Comparisons of a tree with what the models and the loaders read in its texts.
private struct WritingCheck {
    let table: PropertyTable

    func json() throws {
        let expected = expected { value in
            switch value {
            case .double(let double) where !double.isFinite: Self.string(value)
            case .data, .dateTime: Self.string(value)
            default: ModelValue(value)
            }
        }
        for layout in [JsonText.Layout.line, .lines] {
            let text = JsonText.text(PropertyNode(.table(table)), layout: layout)
            try compare(text, Result { try JsonModel.value(Array(text.utf8), isStrict: true) }, expected)
            try compare(text, Self.value(in: JsonPropertyLoader(string: text, name: "json")), expected)
        }
    }

    func toml() throws {
        let expected = expected { value in
            switch value {
            case .null: nil
            case .unsigned, .bigInteger, .data: Self.string(value)
            default: ModelValue(value)
            }
        }
        let text = TomlText.text(of: table)
        try compare(text, Result { try TomlModel.value(Array(text.utf8)) }, expected)
        try compare(text, Self.value(in: TomlPropertyLoader(string: text, name: "toml")), expected)
    }

    func plist() throws {
        let expected = expected(key: Self.xml) { value in
            switch value {
            case .null: nil
            case .string(let text), .text(let text): .string(Array(Self.xml(text).utf8))
            case .dateTime(let date) where !Self.isInstant("\(date)"): Self.string(value)
            case .bigInteger: Self.string(value)
            default: ModelValue(value)
            }
        }
        let text = PlistText.text(of: table)
        let read = Self.value(in: PlistPropertyLoader(bytes: Array(text.utf8), name: "plist"))
        // Foundation does not read all keys, and the loader refuses those that it misreads.
        if case .failure(let error as PropertyLoadError) = read, error.reason == .unsupported { return }
        try compare(text, read, expected)
    }

    /// Checks the lines of a `.env` file, of which each one has a name and the text of a value.
    func dotEnv() throws {
        let store = PropertyStore()
        // Two keys of the tree may have the same flat name, which is an error.
        let layer = PropertyLayer(table, source: PropertySource(name: "tree"))
        guard (try? store.apply(FixedLoader(layer: layer))) != nil else { return }
        let text = EnvText.text(of: store.entries)
        let entries = store.entries.filter { EnvText.name(of: $0) != nil }
        let expected = entries.map { Self.string($0.node.value) }
        let assignments = try DotEnvModel.assignments(Array(text.utf8))
        try require(assignments.map { .string($0.value) } == expected, "\(entries) are written as: \(text)")
        for (entry, assignment) in zip(entries, assignments) {
            let path = NameModel.path(ofVariable: Array(assignment.name.utf8))
            let name = path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
            try require(name == EnvText.name(of: entry), "\(entry) is written as \(assignment.name)")
        }
    }
}

// MARK: - What is expected

extension WritingCheck {
    private func compare(_ text: String, _ read: Result<ModelValue, any Error>, _ expected: ModelValue) throws {
        try require((try? read.get()) == expected, "\(text) is read as \(read); expected \(expected)")
    }

    private static func value(in loader: some PropertyLoader) -> Result<ModelValue, any Error> {
        Result { ModelValue(.table(try loader.load().propertyLayer.table)) }
    }

    /// Returns the tree that is read back.
    ///
    /// - Parameters:
    ///   - key: returns the key that is read for a key.
    ///   - leaf: returns the value that is read for a value, or nil if it is left out.
    /// - Returns: the tree.
    private func expected(
        key: (String) -> String = { $0 }, _ leaf: (PropertyValue) -> ModelValue?
    ) -> ModelValue {
        func value(_ node: PropertyNode) -> ModelValue? {
            switch node.value {
            case .array(let nodes): .array(nodes.compactMap(value))
            case .table(let table): .table(members(table))
            default: leaf(node.value)
            }
        }
        func members(_ table: PropertyTable) -> [[UInt8]: ModelValue] {
            let pairs = table.compactMap { entry in value(entry.node).map { (Array(key(entry.key).utf8), $0) } }
            return Dictionary(pairs) { $1 }
        }
        return .table(members(table))
    }

    /// Returns the string that stands for a value in a format that cannot express it.
    private static func string(_ value: PropertyValue) -> ModelValue {
        let text =
            switch value {
            case .double(let double) where !double.isFinite: double.isNaN ? "nan" : double < 0 ? "-inf" : "inf"
            case .string(let text), .text(let text), .bigInteger(let text): text
            case .data(let bytes): Base64.text(of: bytes)
            case .bool(let bool): "\(bool)"
            case .integer(let integer): "\(integer)"
            case .unsigned(let integer): "\(integer)"
            case .double(let double): "\(double)"
            case .dateTime(let date): "\(date)"
            case .null, .array, .table, .opaque: ""
            }
        return .string(Array(text.utf8))
    }

    /// Whether a property list can express a date: the end of a second in UTC, but not of a leap second.
    private static func isInstant(_ date: String) -> Bool {
        date.utf8.count == 20 && date.hasSuffix("Z") && !date.hasSuffix(":60Z")
    }

    /// Returns a text as a property list has it, with U+FFFD for each character that XML cannot express.
    private static func xml(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isControl = scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar)
                    return isControl || scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar
                }))
    }
}
