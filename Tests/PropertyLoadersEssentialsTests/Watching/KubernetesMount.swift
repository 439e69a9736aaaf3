import Foundation

/// A directory that changes like a Kubernetes mount. Like the atomic writer of kubelet, it writes the files of each
/// state to a new directory with a timestamp in its name, renames a link to this directory over `..data`, and removes
/// the old directory.
final class KubernetesMount: Sendable {
    private let scratch: Scratch
    let url: URL

    init() throws {
        scratch = try Scratch()
        url = scratch.file("mount")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Replaces all files in one atomic step.
    func swap(to files: [String: String]) throws {
        let manager = FileManager.default
        let old = try? manager.destinationOfSymbolicLink(atPath: path("..data"))
        let state = "..2026_11_21_06_30_00.\(UUID().uuidString)"
        try manager.createDirectory(atPath: path(state), withIntermediateDirectories: false)
        for (name, text) in files { try Data(text.utf8).write(to: url.appending(path: "\(state)/\(name)")) }
        try manager.createSymbolicLink(atPath: path("..data_tmp"), withDestinationPath: state)
        try Self.rename(path("..data_tmp"), path("..data"))
        for name in files.keys where Self.isMissing(path(name)) {
            try manager.createSymbolicLink(atPath: path(name), withDestinationPath: "..data/\(name)")
        }
        for name in try manager.contentsOfDirectory(atPath: url.path) where !name.hasPrefix("..") && files[name] == nil
        {
            try manager.removeItem(atPath: path(name))
        }
        if let old { try manager.removeItem(atPath: path(old)) }
    }

    /// Renames one path over another. If the paths are links, the links themselves are renamed, not their targets.
    static func rename(_ old: String, _ new: String) throws {
        guard unsafe Foundation.rename(old, new) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func path(_ name: String) -> String { url.path + "/" + name }

    private static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) != 0
    }
}
