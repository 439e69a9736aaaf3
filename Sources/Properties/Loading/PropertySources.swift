/// A list of sources in ascending order of precedence: each source overrides those before it.
///
///     let sources: PropertySources = [
///         TomlPropertyLoader(url: URL(filePath: "config.toml")), EnvironmentPropertyLoader(prefix: "APP"),
///     ]
///     try await container.start(sources)
///
/// A list is written as an array of loaders, some of which may have to be awaited. `+` joins two lists, so a loader can
/// be added at both ends: `[Defaults()] + sources + [Overrides()]`. `PropertySources(array)` makes a list of an array in a
/// variable.
public struct PropertySources: Sendable, ExpressibleByArrayLiteral {
    /// The loaders, in ascending order of precedence.
    public let loaders: [any AsyncPropertyLoader]

    /// Creates a list of loaders, in ascending order of precedence.
    public init(_ loaders: [any AsyncPropertyLoader]) { self.loaders = loaders }

    /// Creates a list of loaders, in ascending order of precedence.
    public init(arrayLiteral loaders: any AsyncPropertyLoader...) { self.loaders = loaders }

    /// Returns the sources of both lists. Those of the second list override those of the first.
    public static func + (weaker: PropertySources, stronger: PropertySources) -> PropertySources {
        PropertySources(weaker.loaders + stronger.loaders)
    }

    /// The loaders, each of which knows the others.
    var listed: [any AsyncPropertyLoader] { loaders.map { ($0 as? any ListedLoader)?.listed(with: loaders) ?? $0 } }

    /// The loaders for a method that cannot await. The loader of a source that must be awaited throws an error.
    var synchronous: [any PropertyLoader] {
        listed.map { $0 as? any PropertyLoader ?? UnawaitedLoader(name: $0.typeName) }
    }
}

/// A loader that shares the names of the process, such as variables and options, with the other loaders of its list.
package protocol ListedLoader: AsyncPropertyLoader {
    /// Returns this loader for a list of loaders that contains it.
    func listed(with loaders: [any AsyncPropertyLoader]) -> any AsyncPropertyLoader
}

/// Takes the place of a source that a method cannot await.
private struct UnawaitedLoader: PropertyLoader {
    let name: String

    func load() throws -> PropertyLayer {
        throw PropertyLoadError(
            .unsupported, "this source must be awaited, and the program loads it without waiting",
            at: PropertyOrigin(source: PropertySource(name: name)), remedy: "Let the program await its sources",
            quotes: false)
    }
}
