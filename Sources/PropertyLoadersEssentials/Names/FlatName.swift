import Properties

/// Property names as people write them in arguments and file names.
enum FlatName {
    /// The path of a name, or nil where a part of it is empty.
    static func path(of name: Substring) -> [String]? {
        let parts = name.parts(between: ".")
        return parts.contains { $0.isEmpty } ? nil : parts.map { String($0) }
    }
}
