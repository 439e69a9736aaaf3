import Foundation

/// What comes in on standard input.
enum StandardInput {
    /// How many bytes are asked for at a time.
    private static let step = 64 << 10

    /// All bytes up to the end, or one more than a loader takes: that one says for itself that it is too much.
    ///
    /// - Throws: a `POSIXError` where it cannot be read.
    static func bytes(limit: Int = 64 << 20) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: step)
        while bytes.count <= limit {
            let count = unsafe read(STDIN_FILENO, &chunk, step)
            if count == 0 { break }
            if count > 0 {
                bytes += chunk.prefix(count)
            } else if errno != EINTR {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
        return bytes
    }
}
