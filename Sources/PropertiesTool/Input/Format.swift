import PropertyLoaders

/// The formats that the tool reads, by the name of their file extension.
enum Format: String, CaseIterable {
    case json, toml, plist
    /// Lines of `NAME=value`.
    case env
    /// One file a property.
    case directory

    /// The format of that name, or nil.
    init?(_ name: some StringProtocol) {
        guard let format = Self.allCases.first(where: { name.isSame(as: $0.rawValue) }) else { return nil }
        self = format
    }

    /// All of them, for a message.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
