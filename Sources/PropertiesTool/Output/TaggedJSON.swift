import PropertyLoaders

extension PropertyValue {
    /// The value in tagged form: every value except tables and arrays becomes a table `{"type": T, "value": "text"}`.
    ///
    /// The types are the types of the TOML conformance suite, and also `data` (base64), `null` and `opaque`.
    var tagged: PropertyValue {
        switch self {
        case .null: Self.tagged("null", "null")
        case .bool(let bool): Self.tagged("bool", String(bool))
        case .integer(let integer): Self.tagged("integer", String(integer))
        case .unsigned(let integer): Self.tagged("integer", String(integer))
        case .bigInteger(let digits): Self.tagged("integer", digits)
        case .double(let double): Self.tagged("float", String(double))
        case .string(let text), .text(let text): Self.tagged("string", text)
        case .data(let bytes): Self.tagged("data", Base64.text(of: bytes))
        case .dateTime(let dateTime): Self.tagged(dateTime.kind.rawValue, dateTime.description)
        case .array(let nodes): .array(nodes.map { PropertyNode($0.value.tagged) })
        case .table(let table): .table(PropertyTable(table.map { ($0.key, $0.node.value.tagged) }))
        case .opaque(let opaque): Self.tagged("opaque", String(describing: opaque.value))
        }
    }

    private static func tagged(_ type: String, _ text: String) -> PropertyValue {
        ["type": .string(type), "value": .string(text)]
    }
}
