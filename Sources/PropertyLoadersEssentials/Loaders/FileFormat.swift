#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The formats of files. This is the one place that maps file extensions to them.
package enum FileFormat: String, CaseIterable, Sendable {
    case json, toml, plist
    /// Lines of `NAME=value`.
    case env
    /// A directory with one file for each property.
    case directory

    /// The format of a name such as `toml`, or nil.
    package init?(_ name: some StringProtocol) {
        guard let format = Self.allCases.first(where: { name.isSame(as: $0.rawValue) }) else { return nil }
        self = format
    }

    /// The format that a file's name tells, or nil.
    ///
    /// The extension decides, in any case of its letters. `.env` and `.env.production` have none that does.
    package init?(of url: URL) {
        let end = url.pathExtension.lowercased()
        if end.isSame(as: "jsonc") {
            self = .json
        } else if let format = Self(end), format != .directory {
            self = format
        } else if url.lastPathComponent.begins(with: ".env") {
            self = .env
        } else {
            return nil
        }
    }
}
