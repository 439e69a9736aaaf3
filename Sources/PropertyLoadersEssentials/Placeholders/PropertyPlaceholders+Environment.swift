public import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PropertyPlaceholders {
    /// Allows the environment variables of the process: `${env:HOME}`.
    ///
    /// The default of the placeholder replaces a variable that is not set.
    ///
    /// - Parameter isSecret: whether every text that contains a variable is masked.
    /// - Returns: these placeholders with the variables added.
    public func environment(isSecret: Bool = false) -> PropertyPlaceholders {
        var rules = self
        rules.lookups["env"] = { name in try Self.variable(name).map { LookupResult($0, isSecret: isSecret) } }
        return rules
    }

    private static func variable(_ name: String) throws -> String? {
        guard let value = ProcessEnvironment.value(of: name) else { return nil }
        guard case .text(let text) = value else {
            let source = PropertySource(name: "environment", labels: [name])
            throw PropertyLoadError(
                .unsupported, "the value is not text", at: PropertyOrigin(source: source, place: 0),
                expected: "text in UTF-8", remedy: "Set the variable to text, or put the bytes into a file")
        }
        return text
    }
}

extension PropertyLoader {
    /// Returns a loader of the same source that replaces placeholders by properties, the environment (`${env:HOME}`) and
    /// files (`${file:/run/secrets/key}`).
    ///
    ///     TomlPropertyLoader(url: url).replacingPlaceholders()
    ///
    /// The source can then name any file that the process may read. Use it only for sources that you trust.
    public func replacingPlaceholders() -> some PropertyLoader {
        replacingPlaceholders(.properties.environment().files(under: URL(filePath: "/")))
    }

    /// Returns a loader of the same source that replaces the placeholders in its texts.
    ///
    ///     TomlPropertyLoader(url: url).replacingPlaceholders(.properties.environment(isSecret: true))
    ///
    /// - Parameter placeholders: the placeholders that are allowed.
    /// - Returns: the loader.
    public func replacingPlaceholders(_ placeholders: PropertyPlaceholders) -> some PropertyLoader {
        AdjustedLoader(base: self) { $0.placeholders = placeholders }
    }
}
