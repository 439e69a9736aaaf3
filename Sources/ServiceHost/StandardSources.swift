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
        sources(file, requiresFile, remote, secrets.map { directory(of: $0) }, prefix, arguments)
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
        sources(file, requiresFile, remote, DirectoryPropertyLoader(url: secrets), prefix, arguments)
    }

    private static func sources(
        _ file: String?, _ requiresFile: Bool, _ remote: (any AsyncPropertyLoader)?, _ secrets: (any PropertyLoader)?,
        _ prefix: String, _ arguments: [String]
    ) -> [any AsyncPropertyLoader] {
        let local = [any PropertyLoader].standardSources(
            file: file.flatMap { $0.isEmpty ? nil : URL(filePath: $0) }, requiresFile: requiresFile,
            profileVariable: EnvironmentPropertyLoader.profileVariable(prefix: prefix), secrets: secrets,
            environment: EnvironmentPropertyLoader(prefix: prefix),
            commandLine: CommandLinePropertyLoader(
                arguments: arguments, passthrough: ServiceOptions.names, refusesOthers: true))
        let overriding = secrets == nil ? 2 : 3
        let refused: [any AsyncPropertyLoader] = file?.isEmpty == true ? [EmptyPath(name: "file", kind: "file")] : []
        return refused + local.dropLast(overriding) + [remote].compactMap(\.self) + local.suffix(overriding)
    }

    private static func directory(of path: String) -> any PropertyLoader {
        path.isEmpty ? EmptyPath(name: "secrets", kind: "directory") : DirectoryPropertyLoader(url: URL(filePath: path))
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
            at: PropertyOrigin(source: PropertySource(name: name, isSecret: true)),
            expected: "the path of a \(kind)", remedy: "Set the variable or the constant that has the path")
    }
}
