import PropertyLoaders

extension FuzzTarget {
    /// The input selects the keys and values of a tree. Written as JSON and as TOML, the tree reads back the same, except
    /// for what a format cannot express.
    ///
    /// The writer of TOML belongs to the tool, whose code no other target can import. The link `Formats` adds its file
    /// to this target.
    static let writing = FuzzTarget("writing") { bytes in
        var generator = TreeGenerator(bytes)
        let check = WritingCheck(table: generator.table())
        try check.json()
        try check.toml()
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
    /// - Parameter leaf: returns the value that is read for a value, or nil if it is left out.
    /// - Returns: the tree.
    private func expected(_ leaf: (PropertyValue) -> ModelValue?) -> ModelValue {
        func value(_ node: PropertyNode) -> ModelValue? {
            switch node.value {
            case .array(let nodes): .array(nodes.compactMap(value))
            case .table(let table): .table(members(table))
            default: leaf(node.value)
            }
        }
        func members(_ table: PropertyTable) -> [[UInt8]: ModelValue] {
            let pairs = table.compactMap { entry in value(entry.node).map { (Array(entry.key.utf8), $0) } }
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
}
