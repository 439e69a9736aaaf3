package import Foundation

/// The files of this package.
package enum Repository {
    /// The folder with `Package.swift`.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
