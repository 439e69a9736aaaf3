extension PropertyPlaceholders {
    /// Allows placeholders to refer to environment variables of the process: `${env:HOME}`.
    ///
    /// If a variable is not set, the default of the placeholder is used.
    ///
    /// - Parameter isSecret: whether a text that contains a variable is masked.
    /// - Returns: a copy of these placeholders that also allows the variables.
    public func environment(isSecret: Bool = false) -> PropertyPlaceholders {
        var rules = self
        rules.lookups["env"] = { name in
            guard let value = ProcessEnvironment.value(of: name) else { return LookupResult(nil) }
            guard case .text(let text) = value else {
                let source = PropertySource(name: "environment", labels: [name])
                throw PropertyLoadError(
                    .unsupported, "the value is not text", at: PropertyOrigin(source: source, place: 0),
                    expected: "text in UTF-8", remedy: "Set the variable to text, or put the bytes into a file")
            }
            return LookupResult(text, isSecret: isSecret)
        }
        return rules
    }
}

extension PropertyLoader {
    /// Returns a loader of the same source that replaces the placeholders in its texts.
    ///
    ///     TomlPropertyLoader(url: url).replacingPlaceholders()
    ///     TomlPropertyLoader(url: url).replacingPlaceholders(.properties.environment(isSecret: true))
    ///
    /// By default placeholders refer to other properties (`${host}`), to environment variables (`${env:HOME}`) and to
    /// the contents of files (`${file:/run/secrets/key}`). Use the default only for sources that you trust: the source
    /// can name any file that the process may read.
    ///
    /// - Parameter placeholders: the placeholders that are allowed.
    /// - Returns: the loader.
    public func replacingPlaceholders(
        _ placeholders: PropertyPlaceholders = .properties.environment().files(under: URL(filePath: "/"))
    ) -> some PropertyLoader<PropertyLayer> {
        ComposedLoader(self) { $0.placeholders = placeholders }
    }
}
