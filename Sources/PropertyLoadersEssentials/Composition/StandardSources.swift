extension PropertySources {
    /// Returns the sources that most services have, in ascending order of precedence: defaults, a file, the file of a
    /// profile, a source that must be awaited, secrets, a `.env` file, the environment, the command line.
    ///
    ///     .standardSources(file: "config.toml", secrets: "/run/secrets", environment: "APP")
    ///
    /// The variable `APP_PROFILE` may name a profile: for `production`, the file `config.production.toml` is loaded
    /// too, and must exist. The values of both files are merged leaf by leaf, whatever their format. Variables and options
    /// that choose a profile or a path are read when this method is called, and are not properties. An empty variable
    /// chooses nothing, because many deployments set `APP_PROFILE=""`. Any other argument before `--` must be an option or
    /// its value. `profileFiles(url:)`, `EnvironmentPropertyLoader` and `CommandLinePropertyLoader` are the parts of the
    /// list, for a list of your own.
    ///
    /// - Parameters:
    ///   - defaults: a struct whose stored properties are the default values.
    ///   - file: the path of the file, or nil for none. Its extension decides its format: `.toml`, `.json`, `.jsonc` or
    ///     `.env`.
    ///   - requiresFile: whether the file must exist. By default it must, so that a service does not start with its
    ///     defaults because of a wrong path.
    ///   - configOption: whether the option `--config FILE`, or otherwise the variable `APP_CONFIG`, chooses another file,
    ///     which must exist.
    ///   - profile: the name of the profile, instead of the variable.
    ///   - requiresProfileFile: whether the file of the profile must exist. By default it must, so that a service does
    ///     not start with the wrong settings because of a misspelt profile.
    ///   - remote: the loader of a source that must be awaited, or nil for none.
    ///   - secrets: the path of the directory of secrets, or nil for none.
    ///   - requiresSecrets: whether the directory of secrets must exist.
    ///   - secretsOption: whether the option `--secrets FOLDER`, or otherwise the variable `APP_SECRETS`, chooses another
    ///     directory of secrets, which must exist.
    ///   - dotEnv: the path of a `.env` file, which may be missing, or nil for none. Its names have the prefix of the
    ///     environment. Without one, unknown names in it are ignored. `DotEnvPropertyLoader` documents its grammar.
    ///   - prefix: the beginning of the names of the environment variables, such as `APP`. An empty one means that the
    ///     environment is shared with other programs.
    ///   - emptyIsUnset: whether a variable of the environment or the `.env` file that is empty counts as not set. Such a
    ///     source cannot give an empty text.
    ///   - variables: the variables of the environment; by default those of the process.
    ///   - arguments: the arguments without the program's name. In a test, pass an empty array, because the arguments
    ///     of the process belong to the test runner.
    /// - Returns: the sources.
    public static func standardSources(
        defaults: (any Sendable)? = nil, file: String? = nil, requiresFile: Bool = true, configOption: Bool = false,
        profile: String? = nil, requiresProfileFile: Bool = true, remote: (any AsyncPropertyLoader)? = nil,
        secrets: String? = nil, requiresSecrets: Bool = true, secretsOption: Bool = false, dotEnv: String? = nil,
        environment prefix: String, emptyIsUnset: Bool = false, variables: [String: String]? = nil,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> PropertySources {
        let environment = EnvironmentPropertyLoader(
            prefix: prefix, emptyIsUnset: emptyIsUnset, environment: variables)
        var config = configOption ? PathOption("config", file, prefix: prefix) : nil
        var folder = secretsOption ? PathOption("secrets", secrets, prefix: prefix) : nil
        var commandLine = CommandLinePropertyLoader(arguments, .service(options: [config, folder]))
        config?.choose(commandLine, environment)
        folder?.choose(commandLine, environment)
        commandLine = CommandLinePropertyLoader(arguments, .service(options: [config, folder]))
        let paths = [config, folder].compactMap { $0?.variable }
        let reserved = [environment.profileVariable] + paths
        // Without a file, nothing reads the profile, so the variable may be another program's.
        let hasFile = file != nil || config != nil

        var sources: PropertySources = defaults.map { [StructPropertyLoader($0)] } ?? []
        if let path = config?.path ?? file, path.isEmpty {
            sources = sources + [EmptyPath(name: "file", kind: "file")]
        } else if let path = config?.path ?? file {
            sources =
                sources
                + profileFiles(
                    url: URL(filePath: path), requiresFile: requiresFile || config?.choice != nil,
                    profile: profile ?? environment.value(of: environment.profileVariable),
                    requiresProfileFile: requiresProfileFile, format: config?.choice.map { FileLoader.chosen(by: $0) })
        }
        if let remote { sources = sources + [remote] }
        if let path = folder?.path ?? secrets {
            sources = sources + [directory(path, isRequired: requiresSecrets, folder?.choice)]
        }
        if let dotEnv {
            let loader = DotEnvPropertyLoader(url: URL(filePath: dotEnv), prefix: prefix, emptyIsUnset: emptyIsUnset)
            sources = sources + [loader.reserving(hasFile ? reserved : paths, unlessIn: environment).optional()]
        }
        return sources + [environment.excluding(reserved), commandLine]
    }

    private static func directory(
        _ path: String, isRequired: Bool, _ choice: PathChoice?
    ) -> any PropertyLoader {
        if path.isEmpty { return EmptyPath(name: "secrets", kind: "directory") }
        let loader = DirectoryPropertyLoader(url: URL(filePath: path))
        if let choice { return ChosenLoader(base: loader, chooser: choice.chooser) }
        return isRequired ? loader : loader.optional()
    }

    /// Returns a file and the file of a profile in the same directory, for a list of your own.
    ///
    ///     let sources: PropertySources =
    ///         .profileFiles(url: URL(filePath: "config.toml"), profileVariable: "APP_PROFILE")
    ///         + [EnvironmentPropertyLoader(prefix: "APP"), CommandLinePropertyLoader()]
    ///
    /// The values of both files are merged leaf by leaf, whatever their format.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - requiresFile: whether the file must exist.
    ///   - profile: the name of the profile. For `production` and `config.toml`, the file is `config.production.toml`. An
    ///     empty text is the same as nil.
    ///   - profileVariable: the environment variable that names the profile if `profile` is nil. It is read when this
    ///     method is called, and is not a property of the environment in the same list.
    ///   - requiresProfileFile: whether the file of the profile must exist.
    ///   - format: creates the loader of a file; by default its extension decides: `.toml`, `.json`, `.jsonc`, `.env`.
    /// - Returns: one source or two.
    public static func profileFiles(
        url: URL, requiresFile: Bool = true, profile: String? = nil, profileVariable: String? = nil,
        requiresProfileFile: Bool = true, format: (@Sendable (URL) -> any PropertyLoader)? = nil
    ) -> PropertySources {
        let variables = EnvironmentPropertyLoader(prefix: "")
        let profile = profile ?? profileVariable.flatMap { variables.value(of: $0) }
        func loader(_ profile: String?, isRequired: Bool) -> any PropertyLoader {
            let loader = ProfileLoader(url, profile, profileVariable, format ?? FileLoader.loader(of:))
            return isRequired ? loader : loader.optional()
        }
        let file = loader(nil, isRequired: requiresFile)
        guard let profile, !profile.isEmpty else { return [file] }
        return [file, loader(profile, isRequired: requiresProfileFile)]
    }
}

extension CommandLinePropertyLoader {
    /// The options that `Container.run` of `ServiceHost` answers.
    package static let serviceOptions: Set<String> = ["check", "help", "version"]
}

extension CommandLinePropertyLoader.Rules {
    /// The rules for the arguments of a service.
    fileprivate static func service(options: [PathOption?]) -> Self {
        var rules = Self()
        (rules.flags, rules.passthrough) = (
            CommandLinePropertyLoader.serviceOptions, CommandLinePropertyLoader.serviceOptions
        )
        rules.options = options.compactMap(\.self)
        rules.refusesOthers = true
        return rules
    }
}

/// Loads a file, or the file of a profile, such as `config.production.toml` next to `config.toml`.
private struct ProfileLoader: PropertyLoader, NamedSource, VariableReader {
    private let base: any PropertyLoader
    private let file: URL
    /// The name of the profile, or nil for the file itself.
    private let profile: String?
    let variablesInUse: [String]

    init(_ file: URL, _ profile: String?, _ variable: String?, _ format: @Sendable (URL) -> any PropertyLoader) {
        (self.file, self.profile, variablesInUse) = (file, profile, [variable].compactMap(\.self))
        // Made once, because a loader may keep what it has read.
        base = format(profile.map { Self.url(of: file, $0) } ?? file).merge(.deep)
    }

    var sourceName: String {
        PrintableText.escaped(file.relativePath + (profile.map { " of the profile \($0)" } ?? ""))
    }

    func load() throws -> PropertyLayer {
        guard let profile else { return try base.namedLayer() }
        // The profile often comes from the environment, so it must not name a file in another directory. The check
        // compares bytes, like the system: a slash and a combining mark are one `Character`, which is not equal to "/".
        guard !profile.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            // The reason is not `.notFound`, since `optional()` treats that as a missing file.
            throw PropertyLoadError(
                .unsupported, "'\(profile)' is not a valid name of a profile",
                at: PropertyOrigin(source: PropertySource(name: file.relativePath)),
                expected: "a name such as production", remedy: "For config.production.toml, write production")
        }
        do {
            return try base.namedLayer()
        } catch let error as PropertyLoadError where error.reason == .notFound {
            throw PropertyLoadError(
                .notFound, "\(error.problem), which the profile '\(profile)' needs", at: error.origin,
                remedy: "Create it, or correct the name of the profile")
        }
    }

    private static func url(of file: URL, _ profile: String) -> URL {
        // Messages show the path as the user gave it, so it is not made absolute.
        let path = file.relativePath
        let end = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
        return URL(filePath: "\(path.dropLast(end.count)).\(profile)\(end)", relativeTo: file.baseURL)
    }
}

/// Loads a file whose extension does not tell its format.
private struct FileLoader: PropertyLoader, NamedSource {
    let url: URL

    var sourceName: String { PrintableText.escaped(url.relativePath) }

    /// Returns the loader of a file in the format of its extension.
    @Sendable static func loader(of url: URL) -> any PropertyLoader {
        switch FileFormat(of: url) {
        case .toml: TomlPropertyLoader(url: url)
        case .json: JsonPropertyLoader(url: url)
        case .env: DotEnvPropertyLoader(url: url)
        case .plist, .directory, nil: FileLoader(url: url)
        }
    }

    /// Returns the function that creates the loader of a file that the user has chosen, or of its profile.
    static func chosen(by choice: PathChoice) -> @Sendable (URL) -> any PropertyLoader {
        { ChosenLoader(base: loader(of: $0), chooser: choice.chooser) }
    }

    func load() throws -> PropertyLayer {
        throw PropertyLoadError(
            .unsupported, "the extension does not tell a format that this module loads",
            at: PropertyOrigin(source: PropertySource(name: url.relativePath)),
            expected: ".toml, .json, .jsonc or .env",
            remedy: "Use a file of one of these formats")
    }
}

/// Loads a source whose path the user has chosen.
struct ChosenLoader: PropertyLoader, NamedSource, SecretLoader {
    let base: any PropertyLoader
    /// The option or the variable that has the path.
    let chooser: String

    var isSecret: Bool { (base as? any SecretLoader)?.isSecret == true }
    var sourceName: String { (base as? any NamedSource)?.sourceName ?? chooser }

    func load() throws -> PropertyLayer {
        do {
            return try base.namedLayer()
        } catch let error as PropertyLoadError where error.reason == .notFound {
            throw PropertyLoadError(
                .notFound, "\(error.problem), which \(chooser) names", at: error.origin,
                remedy: "Create it, or correct \(chooser)", quotes: false)
        }
    }
}

/// Refuses an empty path, which is probably of a variable that is set to nothing. As a URL, it would be the working
/// directory, with all its files.
private struct EmptyPath: PropertyLoader {
    /// The name of the source.
    let name: String
    let kind: String

    func load() throws -> PropertyLayer {
        throw PropertyLoadError(
            .notFound, "the path of the \(kind) is empty",
            at: PropertyOrigin(source: PropertySource(name: name, isSecret: true)), expected: "the path of a \(kind)",
            remedy: "Set the variable or the constant that has the path")
    }
}
