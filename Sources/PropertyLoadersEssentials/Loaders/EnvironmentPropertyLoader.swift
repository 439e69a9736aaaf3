public import Properties

/// Loads the environment variables whose names begin with a prefix.
///
/// With the prefix `APP_`, the variable `APP_API__TIMEOUT` is the property `api.timeout`: two underscores, or a dot,
/// separate two levels, and letters become lower case. If another source has the same name in another spelling, such as
/// `api.baseURL` for `APP_API__BASE_URL`, the variable sets that property (`NameSpelling.loose`).
///
/// Values are text without a type, which a read converts: for the text `5`, `require("api.timeout", as: Int.self)`
/// returns 5. A value that is not valid UTF-8 is data.
public struct EnvironmentPropertyLoader: PropertyLoader, NamedSource {
    private let prefix: String
    private let environment: [String: String]?

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the names, case-sensitive. An underscore at its end is optional: `APP` is the same
    ///     as `APP_`. An empty prefix loads all variables.
    ///   - environment: the variables; by default those of the process when `load` is called.
    public init(prefix: String, environment: [String: String]? = nil) {
        self.prefix = prefix
        self.environment = environment
    }

    package var sourceName: String { prefix.isEmpty ? "environment" : "environment \(prefix)" }

    /// Reads the variables.
    ///
    /// - Returns: the properties of the variables with the prefix.
    /// - Throws: a `PropertyLoadError` if two variables set the same property, or if one sets a value and another a
    ///   property below that value, such as `APP_API` and `APP_API__TIMEOUT`.
    public func load() throws -> PropertyLayer {
        let variables =
            environment?.map { (name: $0, value: PropertyValue.text($1)) } ?? ProcessEnvironment.variables
        let found = variables.compactMap { variable, value in
            VariableName.path(of: variable, prefix: prefix).map { (variable: variable, path: $0, value: value) }
        }.sorted { $0.variable.precedes($1.variable) }
        // The identity contains the prefix, so that a store treats two prefixes as two sources.
        let source = PropertySource(
            name: "environment", identity: "environment \(prefix)", labels: found.map(\.variable))
        var layer = UntypedLayer(of: source)
        for (place, item) in found.enumerated() { try layer.add(item.value, at: item.path, place: place) }
        return PropertyLayer(layer.table, source: source, spelling: .loose)
    }
}
