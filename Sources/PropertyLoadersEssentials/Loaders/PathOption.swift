/// An option of a service that chooses a path, and the variable that does the same: `--config` and `APP_CONFIG`.
package struct PathOption: Sendable {
    /// The name of the option, without dashes.
    package let name: String
    /// The name of the variable.
    package let variable: String
    /// The path if nothing chooses another, or nil.
    package let defaultPath: String?
    /// What the user has chosen, or nil.
    package private(set) var choice: PathChoice?

    /// The path that is in use, or nil.
    var path: String? { choice?.path ?? defaultPath }

    init(_ name: String, _ defaultPath: String?, prefix: String) {
        self.name = name
        self.defaultPath = defaultPath
        variable = EnvironmentPropertyLoader.variable(name.uppercased(), prefix: prefix)
    }

    /// Looks for a path on the command line, and otherwise in the environment. An empty path counts as none.
    mutating func choose(_ commandLine: CommandLinePropertyLoader, _ environment: EnvironmentPropertyLoader) {
        let paths = [("--\(name)", commandLine.values[name]), (variable, environment.value(of: variable))]
        choice =
            paths.lazy.compactMap { chooser, path in
                path.flatMap { $0.isEmpty ? nil : PathChoice(path: $0, chooser: chooser) }
            }.first
    }
}

/// A path that the user of a service has chosen.
package struct PathChoice: Sendable {
    package let path: String
    /// The option or the variable that has the path.
    package let chooser: String
}
