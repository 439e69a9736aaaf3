#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension [any AsyncPropertyLoader] {
    /// Returns the loaders of the sources that most services have, in ascending order of precedence: a file, the file of
    /// a profile, a source that must be awaited, secrets, the environment, the command line.
    ///
    ///     .standardSources(file: "config.toml", secrets: "/run/secrets", environment: "APP")
    ///
    /// The variable `APP_PROFILE` may name a profile: for `production`, the file `config.production.toml` is loaded
    /// too, and must exist. The options of `Container.run` are not properties. Any other argument before `--` must be an
    /// option or its value. The method of the same name with a URL has more parameters.
    ///
    /// - Parameters:
    ///   - file: the path of the file, or nil for none. Its extension decides its format.
    ///   - requiresFile: whether the file must exist.
    ///   - remote: the loader of a source that must be awaited, or nil for none.
    ///   - secrets: the path of the directory of secrets, which must exist, or nil for none.
    ///   - prefix: the beginning of the names of the environment variables.
    ///   - arguments: the arguments without the program's name. In a test, pass an empty array, because the arguments
    ///     of the process belong to the test runner.
    /// - Returns: the loaders.
    public static func standardSources(
        file: String? = nil, requiresFile: Bool = true, remote: (any AsyncPropertyLoader)? = nil,
        secrets: String? = nil, environment prefix: String,
        arguments: [String] = [String](CommandLine.arguments.dropFirst())
    ) -> [any AsyncPropertyLoader] {
        sources(file, requiresFile, remote, secrets.map { URL(filePath: $0) }, prefix, arguments)
    }

    /// Returns the loaders of the sources that most services have, as the method with a path of the secrets does.
    ///
    /// - Parameters:
    ///   - file: the path of the file, or nil for none. Its extension decides its format.
    ///   - requiresFile: whether the file must exist.
    ///   - remote: the loader of a source that must be awaited, or nil for none.
    ///   - secrets: the directory of secrets, which must exist.
    ///   - prefix: the beginning of the names of the environment variables.
    ///   - arguments: the arguments without the program's name.
    /// - Returns: the loaders.
    public static func standardSources(
        file: String? = nil, requiresFile: Bool = true, remote: (any AsyncPropertyLoader)? = nil, secrets: URL,
        environment prefix: String, arguments: [String] = [String](CommandLine.arguments.dropFirst())
    ) -> [any AsyncPropertyLoader] {
        sources(file, requiresFile, remote, secrets, prefix, arguments)
    }

    private static func sources(
        _ file: String?, _ requiresFile: Bool, _ remote: (any AsyncPropertyLoader)?, _ secrets: URL?, _ prefix: String,
        _ arguments: [String]
    ) -> [any AsyncPropertyLoader] {
        let local = [any PropertyLoader].standardSources(
            file: file.map { URL(filePath: $0) }, requiresFile: requiresFile,
            profileVariable: EnvironmentPropertyLoader.profileVariable(prefix: prefix),
            secrets: secrets.map { DirectoryPropertyLoader(url: $0) },
            environment: EnvironmentPropertyLoader(prefix: prefix),
            commandLine: CommandLinePropertyLoader(
                arguments: arguments, passthrough: ServiceOptions.names, refusesOthers: true))
        let overriding = secrets == nil ? 2 : 3
        return local.dropLast(overriding) + [remote].compactMap(\.self) + local.suffix(overriding)
    }
}
