/// The formats of configuration files. Only this type maps file extensions to formats.
package enum FileFormat: String, CaseIterable, Sendable {
    case json, toml, plist
    /// Lines of `NAME=value`.
    case env
    /// A directory with one file for each property.
    case directory

    /// Creates the format of a file from its name, or returns nil if its format is unknown.
    ///
    /// The extension is compared without regard to case. Names that begin with `.env`, such as `.env.production`, are
    /// the format `env`, unless they have the extension of another format.
    package init?(of url: URL) {
        let end = url.pathExtension.lowercased()
        if let format = Self(rawValue: end == "jsonc" ? "json" : end), format != .directory {
            self = format
        } else if url.lastPathComponent.begins(with: ".env") {
            self = .env
        } else {
            return nil
        }
    }
}
