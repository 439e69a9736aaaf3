public import Properties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension [any PropertyLoader] {
    /// The sources of most services, each over the one before: defaults, a file, the file of a profile, the environment,
    /// the command line.
    ///
    ///     try store.apply(.ladder(
    ///         defaults: Settings(), file: URL(filePath: "config.toml"), profile: "production",
    ///         environment: EnvironmentPropertyLoader(prefix: "APP"), commandLine: CommandLinePropertyLoader()))
    ///
    /// Both files are merged leaf by leaf, whatever their format.
    ///
    /// - Parameters:
    ///   - defaults: a struct with a value for everything that has one.
    ///   - file: the file, which must be there.
    ///   - profile: with `production` and `config.toml`, `config.production.toml` is loaded too. It must be there, since
    ///     a misspelt profile that is passed over would start the service with other settings than was meant. An empty
    ///     one is no profile, like nil: `PROFILE=""` is how a variable is left out in many a deployment.
    ///   - environment: the loader of the environment.
    ///   - commandLine: the loader of the arguments.
    ///   - format: makes the loader of a file; left out, its extension decides: `.toml`, `.json`, `.jsonc`, `.env`.
    public static func ladder(
        defaults: (any Sendable)? = nil, file: URL? = nil, profile: String? = nil,
        environment: EnvironmentPropertyLoader? = nil, commandLine: CommandLinePropertyLoader? = nil,
        format: (@Sendable (URL) -> any PropertyLoader)? = nil
    ) -> [any PropertyLoader] {
        let format = format ?? { LoaderByExtension(url: $0) }
        var loaders: [any PropertyLoader] = []
        if let defaults { loaders.append(StructPropertyLoader(defaults)) }
        if let file { loaders.append(format(file).merge(.deep)) }
        if let file, let profile, !profile.isEmpty {
            loaders.append(ProfileLoader(file: file, profile: profile, format: format))
        }
        if let environment { loaders.append(environment) }
        if let commandLine { loaders.append(commandLine) }
        return loaders
    }
}

/// The file of a profile beside a file: `config.production.toml` for `config.toml`.
private struct ProfileLoader: PropertyLoader, AdjustingLoader {
    let file: URL
    let profile: String
    let format: @Sendable (URL) -> any PropertyLoader

    func load() throws -> PropertyLayer { try base().load() }

    func adjusted(_ standIn: PropertyLayer) -> PropertyLayer { (try? base().standIn(standIn)) ?? standIn }

    private func base() throws -> any PropertyLoader {
        // The profile often comes from the environment: it names a file in this directory and no other.
        // By bytes, as the system reads a path: a slash and a combining mark are one character of Swift's.
        guard !profile.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            // Not `.notFound`, which `optional()` would take for a missing file.
            throw PropertyLoadError(
                .unsupported, "'\(profile)' is no name of a profile",
                at: PropertyOrigin(source: PropertySource(name: file.relativePath)),
                expected: "a name such as production")
        }
        // The path stays as the user gave it, since it is the name in messages.
        let path = file.relativePath
        let end = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
        let url = URL(filePath: "\(path.dropLast(end.count)).\(profile)\(end)", relativeTo: file.baseURL)
        return format(url).merge(.deep)
    }
}

/// A file whose extension says its format.
private struct LoaderByExtension: PropertyLoader {
    let url: URL

    func load() throws -> PropertyLayer {
        switch url.pathExtension.lowercased() {
        case "toml": return try TomlPropertyLoader(url: url).load()
        case "json", "jsonc": return try JsonPropertyLoader(url: url).load()
        case "env": return try DotEnvPropertyLoader(url: url).load()
        // `.env` and `.env.production` have no extension that says it.
        case _ where url.lastPathComponent.hasPrefix(".env"): return try DotEnvPropertyLoader(url: url).load()
        default:
            throw PropertyLoadError(
                .unsupported, "the extension says no format that is known here",
                at: PropertyOrigin(source: PropertySource(name: url.relativePath)),
                expected: ".toml, .json, .jsonc or .env",
                remedy: "Say with format: which loader reads it")
        }
    }
}
