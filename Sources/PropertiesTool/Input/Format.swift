/// The formats that the tool reads, by the name of their file extension.
enum Format: String, CaseIterable {
    case json, toml, plist
    /// Lines of `NAME=value`.
    case env
    /// One file a property.
    case directory

    /// All of them, for a message.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
