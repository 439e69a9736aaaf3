/// The formats that the tool reads, by the name of their file extension.
enum Format: String, CaseIterable {
    case json, toml, plist

    /// All of them, for a message.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
