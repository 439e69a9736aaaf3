import Foundation

/// A program that tests need beside the packages, such as nginx. `Tests/Integrations/install` installs them.
enum Neighbour {
    /// Returns the path of a program in the directories of `PATH` and of the administrator, or nil.
    static func path(of program: String) -> URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return (folders + ["/usr/sbin"]).map { URL(filePath: "\($0)/\(program)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Whether the tests with a program run. With `NEIGHBOURS=required`, as in the gate, they fail without it.
    static func isThere(_ program: String) -> Bool {
        ProcessInfo.processInfo.environment["NEIGHBOURS"] == "required" || path(of: program) != nil
    }
}
