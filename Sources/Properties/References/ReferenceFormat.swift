/// The format of a reference of the declared keys.
public enum ReferenceFormat: Sendable, Hashable {
    /// A JSON Schema (2020-12) of a TOML or JSON file, with which editors complete and check its keys. Keys are never
    /// required, since another source may have them. If `refusesUnknownKeys` is true, undeclared keys are errors.
    ///
    /// The schema refuses no document that the service accepts. Keywords that begin with `x-` are for the command
    /// `properties check --schema`, which has the conversions of the service.
    case jsonSchema(refusesUnknownKeys: Bool = false)
    /// The list of options for `--help`, with lines of at most `columns` characters.
    case help(columns: Int = 80)
}

extension PropertyView {
    /// Returns a reference of all declared keys, sorted by name: for each its type, limits, default, unit and summary.
    ///
    ///     print(container.properties.reference(as: .help()))
    ///
    /// The reference contains no values of the sources, and no defaults of secret keys.
    ///
    /// - Parameter format: the format.
    /// - Returns: the text, which ends with a line break. It is empty if no key was declared, except for a JSON Schema.
    public func reference(as format: ReferenceFormat) -> String {
        let keys = declaredKeys
        return switch format {
        case .jsonSchema(let refusesUnknownKeys):
            JsonSchemaReference(refusesUnknownKeys: refusesUnknownKeys, tables: snapshot.state.tables)
                .text(of: keys, bound: boundNames)
        case .help(let columns): HelpReference(columns: columns).text(of: keys)
        }
    }
}

extension PropertyView {
    /// The names of the tables that this store and its parents bind as types. Nil is the root.
    private var boundNames: [PropertyKey?] {
        sequence(first: self as? PropertyStore) { $0?.parent }.compactMap(\.self)
            .flatMap { $0.ownChecks.bindings.map(\.identity.key) }
    }
}

extension DeclaredKey {
    /// The summary and the valid values as sentences. After a summary, a plain noun such as "a string" is left out.
    var sentences: String {
        let isPlain = summary != nil && expected == ValueText.withArticle(valueName)
        let noun = (expected.first?.uppercased() ?? "") + expected.dropFirst()
        return [summary, isPlain ? nil : noun].compactMap { $0 }.filter { !$0.isEmpty }
            .map { $0.utf8.last == UInt8(ascii: ".") ? $0 : $0 + "." }.joined(separator: " ")
    }

    /// Whether the value is an array or a table, which text without a type cannot express.
    var needsFile: Bool {
        schema.contains { keyword, value in
            guard keyword == "type", case .string(let type) = value else { return false }
            return type.isSame(as: "array") || type.isSame(as: "object")
        }
    }
}
