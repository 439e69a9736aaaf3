/// The variables of a source that are empty, and therefore count as not set.
struct EmptyVariables {
    private var names: Set<PropertyKey> = []
    /// The variables by the letters of the names that they would set.
    private var variables: [String: String] = [:]

    /// Adds a variable.
    ///
    /// - Parameters:
    ///   - variable: its whole name.
    ///   - path: the path of the property that it would set, or nil if it does not have the prefix of the source.
    mutating func add(_ variable: String, _ path: [String]?) {
        names.insert(PropertyKey(variable))
        if let path { variables[RelaxedName(path.joined()).letters] = variable }
    }

    /// Returns how a property is set, and the variable that is empty, if there is one.
    func marked(_ way: String, name: String) -> String { marked(way, by: variable(of: name)) }

    /// Returns how a variable is set, and whether it is empty.
    func marked(_ way: String, variable: String) -> String {
        marked(way, by: names.contains(PropertyKey(variable)) ? variable : nil)
    }

    /// Returns the function that explains why a source does not set a property.
    ///
    /// - Parameter file: the name of the file of the source, or nil.
    /// - Returns: nil if no variable is empty; otherwise a function of the name of a property and the name of its own
    ///   variable.
    func lookup(in file: String?) -> (@Sendable (_ name: String, _ variable: String?) -> String?)? {
        if names.isEmpty { return nil }
        return { name, own in
            let isOwn = own.map { names.contains(PropertyKey($0)) } ?? false
            return (isOwn ? own : variable(of: name)).map { Self.text($0) + (file.map { " (\($0))" } ?? "") }
        }
    }

    private func variable(of name: String) -> String? {
        variables.isEmpty ? nil : variables[RelaxedName(name).letters]
    }

    private func marked(_ way: String, by variable: String?) -> String {
        variable.map { "\(way) (\(Self.text($0)))" } ?? way
    }

    private static func text(_ variable: String) -> String {
        "\(PrintableText.escaped(variable)) is empty, so unset"
    }
}
