internal import SharedState

/// Reads a named pipe. A password manager may begin to write to it when somebody opens it.
enum NamedPipe {
    /// The maximum time from the opening of a pipe to its end.
    static let timeout = Duration.seconds(10)

    private static let step = 64 << 10

    /// Reads a pipe until its writer closes it. Opening it does not block.
    ///
    /// - Parameters:
    ///   - path: its absolute path.
    ///   - limit: the maximum size in bytes.
    ///   - timeout: the maximum time.
    /// - Returns: all bytes, at least one: a writer that has written nothing may not have begun.
    /// - Throws: the reason why it cannot be read.
    static func bytes(at path: String, limit: Int, within timeout: Duration) throws(FileDiagnostic) -> [UInt8] {
        let pipe = try System.OpenFile(path), end = ContinuousClock.now + timeout.bounded
        guard try pipe.status().kind == .pipe else { throw .transient("it has been replaced") }
        var bytes: [UInt8] = []
        while true {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard rest > 0 else { throw late(bytes.isEmpty, timeout) }
            let chunk = try pipe.available(step, within: Int32(min(rest.rounded(.up), 1000)))
            if let chunk, chunk.isEmpty {
                if !bytes.isEmpty { return bytes }
                System.OpenFile.pause(milliseconds: 10)
            }
            bytes += chunk ?? []
            guard bytes.count <= limit else { throw .tooLarge(bytes.count, limit: limit) }
        }
    }

    private static func late(_ isEmpty: Bool, _ timeout: Duration) -> FileDiagnostic {
        FileDiagnostic(
            isEmpty
                ? "nothing was written to this pipe within \(timeout)"
                : "the writer of this pipe did not close it within \(timeout)",
            reason: .unavailable,
            remedy: "Check the program that writes to it, such as a password manager")
    }
}
