extension [any PropertyLoader] {
    /// Returns the loaders of the sources that most services have, in ascending order of precedence: defaults, a file,
    /// the file of a profile, secrets, the environment, the command line.
    ///
    ///     try store.apply(.standardSources(
    ///         defaults: Settings(), file: URL(filePath: "config.toml"), profileVariable: "APP_PROFILE",
    ///         environment: EnvironmentPropertyLoader(prefix: "APP"), commandLine: CommandLinePropertyLoader()))
    ///
    /// The values of both files are merged leaf by leaf, whatever their format.
    ///
    /// - Parameters:
    ///   - defaults: a struct whose stored properties are the default values.
    ///   - file: the file.
    ///   - requiresFile: whether the file must exist. By default it must, so that a service does not start with its
    ///     defaults because of a wrong path.
    ///   - profile: the name of a profile. For `production` and `config.toml`, the file `config.production.toml` is
    ///     loaded too. An empty text is the same as nil, because many deployments set `PROFILE=""` for no profile.
    ///   - profileVariable: the environment variable that names the profile if `profile` is nil. It is read when this
    ///     method is called, and is not a property, even if it begins with the prefix of `environment`.
    ///   - requiresProfileFile: whether the file of the profile must exist. By default it must, so that a service does
    ///     not start with the wrong settings because of a misspelt profile.
    ///   - secrets: the loader of the mounted secrets, such as
    ///     `DirectoryPropertyLoader(url: URL(filePath: "/run/secrets")).optional()`.
    ///   - environment: the loader of the environment.
    ///   - commandLine: the loader of the arguments.
    ///   - format: creates the loader of a file; by default its extension decides: `.toml`, `.json`, `.jsonc`, `.env`.
    /// - Returns: the loaders, for `apply`.
    public static func standardSources(
        defaults: (any Sendable)? = nil, file: URL? = nil, requiresFile: Bool = true, profile: String? = nil,
        profileVariable: String? = nil, requiresProfileFile: Bool = true, secrets: (any PropertyLoader)? = nil,
        environment: EnvironmentPropertyLoader? = nil, commandLine: CommandLinePropertyLoader? = nil,
        format: (@Sendable (URL) -> any PropertyLoader)? = nil
    ) -> [any PropertyLoader] {
        let format = format ?? { FileLoader(url: $0) }
        let variables = environment ?? EnvironmentPropertyLoader(prefix: "")
        let profile = profile ?? profileVariable.flatMap { variables.value(of: $0) }
        var loaders: [any PropertyLoader] = []
        if let defaults { loaders.append(StructPropertyLoader(defaults)) }
        if let file {
            let loader = format(file).merge(.deep)
            loaders.append(requiresFile ? loader : loader.optional())
        }
        if let file, let profile, !profile.isEmpty {
            let loader = ProfileLoader(file: file, profile: profile, format: format)
            loaders.append(requiresProfileFile ? loader : loader.optional())
        }
        if let secrets { loaders.append(secrets) }
        if let environment { loaders.append(profileVariable.map { environment.excluding($0) } ?? environment) }
        if let commandLine { loaders.append(commandLine) }
        return loaders
    }
}

extension EnvironmentPropertyLoader {
    /// Returns the variable that names the profile of a service: `APP_PROFILE` for the prefix `APP` or `APP_`, and
    /// `PROFILE` for an empty one.
    package static func profileVariable(prefix: String) -> String {
        prefix.isEmpty || prefix.hasSuffix("_") ? "\(prefix)PROFILE" : "\(prefix)_PROFILE"
    }
}

/// Loads the file of a profile, such as `config.production.toml` next to `config.toml`.
private struct ProfileLoader: PropertyLoader, NamedSource {
    let file: URL
    let profile: String
    let format: @Sendable (URL) -> any PropertyLoader

    var sourceName: String { PrintableText.escaped("\(file.relativePath) of the profile \(profile)") }

    func load() throws -> PropertyLayer {
        do {
            return try base().load().propertyLayer
        } catch let error as PropertyLoadError where error.reason == .notFound {
            throw PropertyLoadError(
                .notFound, "\(error.problem), which the profile '\(profile)' needs", at: error.origin,
                remedy: "Create it, or correct the name of the profile")
        }
    }

    private func base() throws -> any PropertyLoader {
        // The profile often comes from the environment, so it must not name a file in another directory. The check
        // compares bytes, like the system: a slash and a combining mark are one `Character`, which is not equal to "/".
        guard !profile.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            // The reason is not `.notFound`, since `optional()` treats that as a missing file.
            throw PropertyLoadError(
                .unsupported, "'\(profile)' is not a valid name of a profile",
                at: PropertyOrigin(source: PropertySource(name: file.relativePath)),
                expected: "a name such as production", remedy: "For config.production.toml, write production")
        }
        // Messages show the path as the user gave it, so it is not made absolute.
        let path = file.relativePath
        let end = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
        let url = URL(filePath: "\(path.dropLast(end.count)).\(profile)\(end)", relativeTo: file.baseURL)
        return format(url).merge(.deep)
    }
}

/// Loads a file in the format of its extension.
private struct FileLoader: PropertyLoader, NamedSource {
    let url: URL

    var sourceName: String { PrintableText.escaped(url.relativePath) }

    func load() throws -> PropertyLayer {
        switch FileFormat(of: url) {
        case .toml: return try TomlPropertyLoader(url: url).load()
        case .json: return try JsonPropertyLoader(url: url).load()
        case .env: return try DotEnvPropertyLoader(url: url).load()
        case .plist, .directory, nil:
            throw PropertyLoadError(
                .unsupported, "the extension does not tell a format that this module loads",
                at: PropertyOrigin(source: PropertySource(name: url.relativePath)),
                expected: ".toml, .json, .jsonc or .env",
                remedy: "Use a file of one of these formats")
        }
    }
}
