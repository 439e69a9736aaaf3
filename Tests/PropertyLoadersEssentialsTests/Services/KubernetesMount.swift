import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A directory that changes as kubelet's atomic writer changes a mount: the files of a state go into a new directory
/// with a time in its name, a link to it is renamed over `..data`, and the old directory is removed.
final class KubernetesMount: Sendable {
    private let scratch: Scratch
    let url: URL

    init() throws {
        scratch = try Scratch()
        url = scratch.file("mount")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Replaces all files in one step.
    func swap(to files: [String: String]) throws {
        let manager = FileManager.default
        let old = try? manager.destinationOfSymbolicLink(atPath: path("..data"))
        let state = "..2026_11_21_06_30_00.\(UUID().uuidString)"
        try manager.createDirectory(atPath: path(state), withIntermediateDirectories: false)
        for (name, text) in files { try Data(text.utf8).write(to: url.appending(path: "\(state)/\(name)")) }
        try manager.createSymbolicLink(atPath: path("..data_tmp"), withDestinationPath: state)
        guard unsafe rename(path("..data_tmp"), path("..data")) == 0 else { throw CocoaError(.fileWriteUnknown) }
        for name in files.keys where System.isMissing(path(name)) {
            try manager.createSymbolicLink(atPath: path(name), withDestinationPath: "..data/\(name)")
        }
        for name in try manager.contentsOfDirectory(atPath: url.path) where !name.hasPrefix("..") && files[name] == nil
        {
            try manager.removeItem(atPath: path(name))
        }
        if let old { try manager.removeItem(atPath: path(old)) }
    }

    private func path(_ name: String) -> String { url.path + "/" + name }

    private enum System {
        static func isMissing(_ path: String) -> Bool {
            var status = stat()
            return unsafe lstat(path, &status) != 0
        }
    }
}
