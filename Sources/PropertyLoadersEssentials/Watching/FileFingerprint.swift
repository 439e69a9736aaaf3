/// The metadata of a set of files. If two fingerprints of the same files differ, a file has changed in between.
struct FileFingerprint: Equatable {
    /// The status of each path, or the reason why it cannot be read. The status is nil if nothing is there.
    private var statuses: [PropertyKey: Result<System.Status?, FileDiagnostic>] = [:]

    /// Reads the status of files. For a directory, also reads the names and the status of the files in it.
    init(_ files: [String]) {
        for file in files where add(file)?.kind == .directory {
            do throws(FileDiagnostic) {
                for name in try System.names(in: file) where !name.begins(with: ".") { add("\(file)/\(name)") }
            } catch {
                statuses[PropertyKey(file)] = .failure(error)
            }
        }
    }

    @discardableResult
    private mutating func add(_ path: String) -> System.Status? {
        let status = Result { () throws(FileDiagnostic) in try System.status(at: path) }
        statuses[PropertyKey(path)] = status
        return try? status.get()
    }
}
