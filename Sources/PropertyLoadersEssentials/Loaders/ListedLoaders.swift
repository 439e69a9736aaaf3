/// A loader that reads variables which are not properties, such as the name of a profile.
protocol VariableReader {
    var variablesInUse: [String] { get }
}

extension [any AsyncPropertyLoader] {
    /// The variables that some of the loaders read, and that are not properties.
    private var variablesInUse: [String] { flatMap { ($0.innermost as? any VariableReader)?.variablesInUse ?? [] } }

    /// Returns the loader of the environment without the variables that these loaders read themselves, such as
    /// `APP_PROFILE`.
    func listing(_ loader: EnvironmentPropertyLoader) -> EnvironmentPropertyLoader { loader.excluding(variablesInUse) }

    /// Returns the loader of a `.env` file, which refuses the variables that these loaders have read before the file.
    func listing(_ loader: DotEnvPropertyLoader) -> DotEnvPropertyLoader {
        let variables = variablesInUse
        if variables.isEmpty { return loader }
        let environment = compactMap { $0.innermost as? EnvironmentPropertyLoader }.last
        return loader.reserving(variables, unlessIn: environment ?? EnvironmentPropertyLoader(prefix: ""))
    }
}
