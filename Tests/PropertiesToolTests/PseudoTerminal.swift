import Foundation
import TestSupport
import Synchronization

/// A terminal of a fixed size, on which tests run the tool.
final class PseudoTerminal {
    /// The output that has been read so far, with one line feed at the end of each line.
    private final class Screen: Sendable {
        private let bytes = Mutex<[UInt8]>([])
        private let isAtEnd = Mutex(false)

        func add(_ more: some Sequence<UInt8> & Sendable) { bytes.withLock { $0 += more } }
        func end() { isAtEnd.withLock { $0 = true } }

        var hasEnded: Bool { isAtEnd.withLock { $0 } }
        // A terminal driver sends a carriage return with each line feed.
        var text: String {
            bytes.withLock { String(decoding: $0, as: UTF8.self) }.replacingOccurrences(of: "\r\n", with: "\n")
        }
    }

    // Both sides are closed in other processes that tests start meanwhile: the output ends when the last one closes it.
    private let descriptor: Int32
    private let slave: Int32
    private let screen = Screen()

    /// Opens a terminal.
    ///
    /// - Throws: a `POSIXError` if the system has no free terminal.
    init(columns: Int, rows: Int) throws {
        let name: String
        (descriptor, name) = try Self.open()
        slave = unsafe Foundation.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard slave >= 0, unsafe ioctl(slave, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.ENXIO) }
    }

    /// Returns the descriptor of the side that the test reads, and the path of the side that the tool writes.
    private static func open() throws -> (Int32, String) {
        #if os(Linux)
            let descriptor = unsafe Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            // These requests of <asm/ioctls.h>, TIOCSPTLCK and TIOCGPTN, unlock the other side and return its number.
            // Swift does not import grantpt(3) and the functions that belong to it, nor macros such as these.
            var isLocked: Int32 = 0, number: UInt32 = 0
            guard descriptor >= 0, unsafe ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
                unsafe ioctl(descriptor, 0x8004_5430, &number) == 0
            else { throw POSIXError(.ENXIO) }
            return (descriptor, "/dev/pts/\(number)")
        #else
            let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
            guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
                let name = unsafe ptsname(descriptor)
            else { throw POSIXError(.ENXIO) }
            return (descriptor, unsafe String(cString: name))
        #endif
    }

    /// Runs the tool with its standard output and standard error on the terminal.
    ///
    /// - Parameters:
    ///   - words: its arguments.
    ///   - folder: its working directory.
    ///   - environment: variables in addition to those of the tests.
    ///   - end: the text after which the tool is terminated; by default it exits by itself.
    /// - Returns: all output.
    /// - Throws: the error if the tool cannot be started.
    func run(
        _ words: [String], in folder: URL, environment: [String: String], until end: String? = nil
    ) async throws -> String {
        let streams = try TemporaryFolder(["output": "", "errors": ""])
        let process = try ToolRun.process(words, in: streams, workingIn: folder)
        let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        process.standardOutput = handle
        process.standardError = handle
        process.environment = (process.environment ?? [:]).merging(environment) { $1 }
        read()
        async let exit: Void = process.runToEnd()
        if let end {
            for _ in 0..<600 where !screen.text.contains(end) { try await Task.sleep(for: .milliseconds(100)) }
            process.terminate()
        }
        try await exit
        // The last process that has the terminal open is gone, and a read then reports the end.
        close(slave)
        for _ in 0..<600 where !screen.hasEnded { try await Task.sleep(for: .milliseconds(10)) }
        return screen.text
    }

    /// Reads the output on a thread of its own, since the terminal driver stops a process whose output is not read.
    private func read() {
        Thread.detachNewThread { [descriptor, screen] in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe Foundation.read(descriptor, &chunk, chunk.count)
                if count <= 0 { break }
                screen.add(Array(chunk.prefix(count)))
            }
            screen.end()
        }
    }

    deinit { close(descriptor) }
}
