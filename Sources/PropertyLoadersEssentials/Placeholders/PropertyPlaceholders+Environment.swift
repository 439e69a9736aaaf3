public import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PropertyPlaceholders {
    /// Adds the variables of the process's environment: `${env:HOME}`.
    ///
    /// A variable that is not set is nothing: the default stands in for it.
    ///
    /// - Parameter isSecret: whether each text that a variable goes into is masked.
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
    /// The same source with the placeholders in its texts replaced: by properties, the environment (`${env:HOME}`) and
    /// files (`${file:/run/secrets/key}`).
    ///
    ///     TomlPropertyLoader(url: url).replacingPlaceholders()
    ///
    /// Whoever writes the source can have any file read that the process may read.
    public func replacingPlaceholders() -> some PropertyLoader {
        replacingPlaceholders(.properties.environment().files(under: URL(filePath: "/")))
    }

    /// The same source with the placeholders in its texts replaced.
    ///
    ///     TomlPropertyLoader(url: url).replacingPlaceholders(.properties.environment(isSecret: true))
    ///
    /// - Parameter placeholders: what they lead to.
    public func replacingPlaceholders(_ placeholders: PropertyPlaceholders) -> some PropertyLoader {
        AdjustedLoader(base: self) { $0.placeholders = placeholders }
    }
}
