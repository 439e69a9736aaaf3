public import Properties

/// Loads the variables of the environment whose names begin with a prefix.
///
/// With the prefix `APP_`, the variable `APP_API__TIMEOUT` is the property `api.timeout`: two underscores (or a dot) go
/// one level down, the rest is lower-cased. Where another source spells the name in another way, such as `api.baseURL`
/// for `APP_API__BASE_URL`, that name is meant (`NameSpelling.loose`).
///
/// The values are text without a type: `require("api.timeout", as: Int.self)` reads `5`. One that is no UTF-8 is data, as
/// in a directory of files.
public struct EnvironmentPropertyLoader: PropertyLoader, NamedSource {
    private let prefix: String
    private let environment: [String: String]?

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - prefix: what the names begin with, case-sensitive; its last underscore may be left out. With an empty one
    ///     all variables are loaded.
    ///   - environment: the variables; left out, those that the process has when `load` is called.
    public init(prefix: String, environment: [String: String]? = nil) {
        self.prefix = prefix
        self.environment = environment
    }

    package var sourceName: String { prefix.isEmpty ? "environment" : "environment \(prefix)" }

    /// Reads the variables.
    ///
    /// - Throws: a `PropertyLoadError` where two variables set one name, or one is a value and another a table.
    public func load() throws -> PropertyLayer {
        let variables =
            environment?.map { (name: $0, value: PropertyValue.text($1)) } ?? ProcessEnvironment.variables
        let found = variables.compactMap { variable, value in
            VariableName.path(of: variable, prefix: prefix).map { (variable: variable, path: $0, value: value) }
        }.sorted { $0.variable.precedes($1.variable) }
        // The prefix is in the identity, so that several prefixes are several sources.
        let source = PropertySource(
            name: "environment", identity: "environment \(prefix)", labels: found.map(\.variable))
        var layer = UntypedLayer(of: source)
        for (place, item) in found.enumerated() { try layer.add(item.value, at: item.path, place: place) }
        return PropertyLayer(layer.table, source: source, spelling: .loose)
    }
}
