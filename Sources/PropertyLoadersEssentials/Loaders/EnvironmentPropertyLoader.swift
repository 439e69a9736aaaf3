/// Loads the environment variables whose names begin with a prefix.
///
/// With the prefix `APP_`, the variable `APP_API__TIMEOUT` is the property `api.timeout`: two underscores, or a dot,
/// separate two levels, and letters become lower case, unless one of them is lower case already. If another source or a
/// declared key has the same name in another spelling, such as `api.baseURL` for `APP_API_BASE_URL`, the variable sets
/// that property (`NameSpelling.relaxed`).
///
/// Values are text without a type, which a read converts: for the text `5`, `require("api.timeout", as: Int.self)`
/// returns 5. Read as a list, `a,b` and `["a", "b"]` have two elements. A value that is not valid UTF-8 is data.
///
/// Kubernetes announces each service of a namespace to all containers, in variables that may begin with the prefix:
/// with a service `app-db`, `APP_DB_SERVICE_HOST` and `APP_DB_PORT=tcp://10.0.0.11:5432`. The loader leaves out the
/// variables of the service and adds a warning that names the service. A variable that the deployment sets itself, such
/// as `APP_DB_PORT=5432`, is loaded.
public struct EnvironmentPropertyLoader: PropertyLoader, NamedSource, ListedLoader {
    private let prefix: String
    private var excluded: Set<PropertyKey>
    private let includesServiceLinks: Bool
    private let emptyIsUnset: Bool
    private let environment: [String: String]?

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the names, case-sensitive. An underscore at its end is optional: `APP` is the same
    ///     as `APP_`. With an empty prefix, the environment also has the variables of other programs. Then a variable
    ///     is loaded only if its name is declared, or is in another source: `HTTP_PORT` for `http.port`, and never
    ///     `HOSTNAME` for `host.name`.
    ///   - excluded: the full names of variables that begin with the prefix and are not settings, such as
    ///     `APP_PROFILE`.
    ///   - includesServiceLinks: whether to load the variables that announce other services of Kubernetes.
    ///   - emptyIsUnset: whether an empty variable counts as not set, so that the sources below have the value. Then no
    ///     variable can give an empty text; `[]` is an empty list.
    ///   - environment: the variables; by default the variables of the process when `load` is called.
    public init(
        prefix: String, excluding excluded: Set<String> = [], includesServiceLinks: Bool = false,
        emptyIsUnset: Bool = false, environment: [String: String]? = nil
    ) {
        self.prefix = prefix
        self.excluded = Set(excluded.map { PropertyKey($0) })
        self.includesServiceLinks = includesServiceLinks
        self.emptyIsUnset = emptyIsUnset
        self.environment = environment
    }

    /// Returns the variable that sets a declared property, or nil if none can.
    package func variable(of name: String) -> String? {
        SpelledName.variable(name, isDeclared: true).map { VariableName.withUnderscore(prefix) + $0 }
    }

    /// Returns a loader that also leaves out some variables.
    package func excluding(_ variables: some Sequence<String>) -> EnvironmentPropertyLoader {
        var loader = self
        loader.excluded.formUnion(variables.map { PropertyKey($0) })
        return loader
    }

    /// The variable that names the profile of a service with this prefix, such as `APP_PROFILE`.
    package var profileVariable: String { Self.variable("PROFILE", prefix: prefix) }

    /// Returns the name of a variable of a service: `APP_CONFIG` for the prefix `APP` or `APP_`, and `CONFIG` for an
    /// empty one.
    package static func variable(_ name: String, prefix: String) -> String {
        VariableName.withUnderscore(prefix) + name
    }

    /// Returns the value of a variable, with or without the prefix, or nil if it is not set or not valid UTF-8.
    func value(of variable: String) -> String? {
        if let environment { return environment[variable] }
        guard case .text(let text) = ProcessEnvironment.value(of: variable) else { return nil }
        return text
    }

    package func listed(with loaders: [any AsyncPropertyLoader]) -> any AsyncPropertyLoader { loaders.listing(self) }

    package var sourceName: String { prefix.isEmpty ? "environment" : "environment \(prefix)" }

    /// Reads the variables.
    ///
    /// - Returns: the properties of the variables with the prefix.
    /// - Throws: a `PropertyLoadError` if there is a prefix, and two variables set the same property.
    public func load() throws -> PropertyLayer {
        let variables =
            environment?.map { (name: $0, value: PropertyValue.text($1)) } ?? ProcessEnvironment.variables
        // All variables, since the name of a service may be shorter than the prefix.
        let links = includesServiceLinks ? nil : ServiceLinks(in: variables)
        var linked: [String] = []
        var found: [Variable] = [], others: [Variable] = [], empty = EmptyVariables()
        for (variable, value) in variables where !excluded.contains(PropertyKey(variable)) {
            let path = VariableName.path(of: variable, prefix: prefix)
            if emptyIsUnset, case .text(let text) = value, text.isEmpty {
                empty.add(variable, path)
            } else if let service = links?.service(of: variable, value) {
                if path != nil { linked.append(service) }
            } else if let path {
                found.append(Variable(name: variable, path: path, value: value))
            } else {
                others.append(Variable(name: variable, path: [], value: value))
            }
        }
        found = found.sorted(byName: \.name)
        let all = found + others, unset = empty
        // The identity contains the prefix, so that a store treats two prefixes as two sources.
        let source = PropertySource(
            name: "environment", identity: "environment \(prefix)", labels: all.map(\.name))
        var loaded = PropertyLayer(
            try table(of: found, source), source: source, spelling: .relaxed,
            warnings: Self.warnings(linked) + surroundings(of: found, source))
        (loaded.mayBeForeign, loaded.hasNoPrefix) = (prefix.isEmpty, prefix.isEmpty)
        let places = Dictionary(all.enumerated().map { (PropertyKey($1.name), $0) }) { first, _ in first }
        loaded.variables = VariableLookup {
            unset.marked("as \(PrintableText.escaped($0))", variable: $0)
        } find: { name in
            places[PropertyKey(name)].map { PropertyNode(all[$0].value, origin: PropertyOrigin(source, at: $0)) }
        }
        let start = VariableName.withUnderscore(prefix)
        loaded.medium = .variables
        loaded.howToSet = { name, isDeclared in
            SpelledName.variable(name, isDeclared: isDeclared).map {
                unset.marked("as \(PrintableText.escaped(start + $0))", name: name)
            }
        }
        loaded.unset = unset.lookup(in: nil)
        return loaded
    }

    private struct Variable {
        let name: String
        let path: [String]
        let value: PropertyValue
    }

    /// Returns the table of the properties of variables.
    ///
    /// Without a prefix, the variables are not this program's alone, so two of them may have the same name, such as
    /// `http_proxy` and `HTTP_PROXY`. Each of them then has a key of its own. The store looks up all of these names,
    /// because it knows the names of the program.
    private func table(of variables: [Variable], _ source: PropertySource) throws(PropertyLoadError) -> PropertyTable {
        guard prefix.isEmpty else {
            var layer = UntypedLayer()
            for (place, variable) in variables.enumerated() {
                try layer.add(variable.value, at: variable.path, origin: PropertyOrigin(source, at: place))
            }
            return layer.table
        }
        var keys: Set<PropertyKey> = []
        let found = variables.enumerated().filter { $1.path.count <= UntypedLayer.depthLimit }
            .map { (name: $1.path.joined(separator: "."), place: $0, variable: $1) }
        // A variable that is spelled as its property has the name.
        let exact = found.filter { $0.name.isSame(as: $0.variable.name) }
        let others = found.filter { !$0.name.isSame(as: $0.variable.name) }
        let entries = (exact + others).map { name, place, variable in
            let key = keys.insert(PropertyKey(name)).inserted ? name : variable.name
            return PropertyTable.Entry(
                key: key, node: PropertyNode(variable.value, origin: PropertyOrigin(source, at: place)))
        }
        return PropertyTable(entries: entries)
    }

    /// Returns the warnings about white space and quotation marks around values. Without a prefix, most variables
    /// belong to other programs.
    private func surroundings(of variables: [Variable], _ source: PropertySource) -> [PropertyLoadError] {
        var warnings = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)
        for (place, variable) in variables.enumerated() where !prefix.isEmpty {
            if let warning = variable.value.warningAboutEnds(at: PropertyOrigin(source, at: place)) {
                warnings.append(warning)
            }
        }
        return warnings.warnings(about: source)
    }

    // Returns the warning about the variables of services that were left out.
    private static func warnings(_ services: [String]) -> [PropertyLoadError] {
        guard !services.isEmpty else { return [] }
        let sorted = Set(services).sorted(byName: \.self)
        let names = BoundedList(sorted.map { "'\($0)'" }, limit: ListLimit.names)
        return [
            PropertyLoadError(
                .ignored, "the service links of \(names.text) are not loaded",
                at: PropertyOrigin(source: PropertySource(name: "environment")),
                remedy: "If they are settings, the developer can load them by includesServiceLinks: true")
        ]
    }
}
