import Foundation

/// Writes a file in place, piece by piece, like a slow program.
struct SlowWriter {
    private let descriptor: CInt

    /// Opens the file, and creates or truncates it.
    init(_ url: URL) throws {
        descriptor = unsafe open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func append(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func end() { close(descriptor) }
}
