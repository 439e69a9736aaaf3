import TextBasics

// Each answer reads one snapshot, so that a reload in the middle does not mix two states.
extension PropertyReading where Properties == Self {
    /// Explains a setting, a table of settings or a property: its value in force, the overridden values, and its rule.
    ///
    ///     print(try store.explain("api.timeout"))
    ///
    /// - Parameter name: the flat name.
    /// - Returns: the explanation. For a former name of a setting, it is the explanation of the setting.
    /// - Throws: a `PropertyError` with the most similar name if the name is neither declared nor in a source.
    public func explain(_ name: String) throws(PropertyError) -> SettingExplanation {
        try ExplanationReference(of: name, in: snapshot).explanation()
    }

    /// Returns a JSON Schema (2020-12) of all declared keys, by which editors complete and check the keys of a TOML or
    /// JSON file.
    ///
    /// Keys are never required, since another source may have them. The schema accepts every document without
    /// placeholders that the service accepts. For the command-line tool, the keyword `x-secret` marks the values to
    /// mask, and `x-renamed` the former names. The schema contains no values of the sources, and no defaults of secret
    /// keys.
    ///
    /// - Parameter refusesUnknownKeys: whether undeclared keys are errors.
    /// - Returns: the schema as JSON, which ends with a line break.
    public func jsonSchema(refusesUnknownKeys: Bool = false) -> String {
        JsonSchemaReference(snapshot.state.declarations, refusesUnknownKeys: refusesUnknownKeys).text
    }

    /// Returns the options of `--help`: all declared keys, sorted by name, each with its type, limits, default and
    /// summary.
    ///
    ///     print(container.properties.help())
    ///
    /// The text contains no values of the sources, and no defaults of secret keys.
    ///
    /// - Parameter columns: the maximum number of characters of a line.
    /// - Returns: the text, which ends with a line break. It is empty if no key was declared.
    public func help(columns: Int = 80) -> String { help(columns: columns, without: []) }

    /// Returns the options of `--help` without the options of some names, which the program uses itself.
    ///
    /// - Parameters:
    ///   - columns: the maximum number of characters of a line.
    ///   - names: the names.
    ///   - environment: returns the variable by which the environment sets a name, or nil.
    /// - Returns: the text.
    package func help(
        columns: Int = 80, without names: Set<String>, environment: @escaping (String) -> String? = { _ in nil }
    ) -> String {
        HelpReference(snapshot.state.declarations, columns: columns, without: names, environment: environment).text
    }

    /// Returns a TOML file with all declared keys, each with its summary, its limits, and its default as an assignment
    /// that is commented out.
    ///
    /// The file sets nothing. If the `#` of an assignment is removed, the file sets the default. A key has a line that
    /// begins with `# ` if it is required, optional or secret, or if TOML cannot express its default. The text contains
    /// no values of the sources.
    ///
    /// - Returns: the text, which ends with a line break.
    public func template() -> String { TemplateReference(snapshot.state.declarations).text }
}

// MARK: - Text of several references

extension DeclaredKey {
    /// The summary and the valid values as sentences. After a summary, a plain noun such as "a string" is left out.
    var sentences: String {
        let isPlain = summary != nil && expected == EnglishText.withArticle(typeName)
        let variable = notes.variable.map { "Also the variable \($0)" }
        // A rule usually begins with the name of a setting, whose letters stay as they are.
        let rules = notes.settingsRules.map { "Together: \($0)" }
        let noun = isPlain ? nil : expected.capitalizedFirst
        let all = ([summary, noun] + rules + [variable]).compactMap(\.self).filter { !$0.isEmpty }
        return all.map { $0.utf8.last == UInt8(ascii: ".") ? $0 : $0 + "." }.joined(separator: " ")
    }
}

extension PropertyValue {
    /// Returns the values of the cases of an enum, or an empty array for another type.
    static func cases(of type: Any.Type) -> [PropertyValue] {
        type is any PropertyConvertible.Type ? [] : caseValues(type) ?? []
    }
}
