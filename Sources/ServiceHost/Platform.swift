import Dispatch
import SharedState
import Synchronization

// Swift sees `stdout` of Glibc and Darwin as a variable that any thread could change. Nothing changes it here.
#if canImport(Glibc)
    @unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    @unsafe @preconcurrency import Android
#else
    @unsafe @preconcurrency import Darwin
#endif

/// All functions that use the platform's C library.
enum Platform {
    /// Makes `print` write each line at once. By default, the C library keeps up to 4 KB in memory if the output is a
    /// pipe or a file.
    static func bufferLines() { unsafe setvbuf(stdout, nil, CInt(_IOLBF), 0) }

    /// Writes an answer of the process to the standard output.
    ///
    /// - Throws: an `OutputError` if that fails, for example because the disk is full.
    static func writeAnswer(_ text: String) throws(OutputError) {
        let bytes = Array(text.utf8)
        // glibc returns the whole count if the flush of the last line fails, so the state of the stream counts, too.
        let count = unsafe fwrite(bytes, 1, bytes.count, stdout)
        guard unsafe count == bytes.count && fflush(stdout) == 0 && ferror(stdout) == 0 else {
            throw unsafe OutputError(cause: String(cString: strerror(errno)))
        }
    }

    /// Whether the standard output is a terminal, and not a file or a pipe.
    static var isTerminal: Bool { isatty(1) == 1 }

    /// Redirects the standard output of the process to the standard error stream.
    ///
    /// - Returns: the descriptor of the original output, or -1 if no descriptor is free. Then nothing changes.
    static func redirectOutput() -> CInt {
        _ = unsafe fflush(stdout)
        let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
        if output >= 0 { _ = dup2(2, 1) }
        return output
    }

    /// Restores the standard output.
    static func restoreOutput(_ output: CInt) {
        if output < 0 { return }
        _ = unsafe fflush(stdout)
        _ = dup2(output, 1)
        _ = close(output)
    }

    /// Ends the process, after the output has been flushed.
    static func end(_ status: CInt) -> Never { exit(status) }

    /// Runs a function on another thread after a time.
    static func run(after time: Duration, _ function: @escaping @Sendable () -> Void) {
        Deadline(after: time).whenReached { DispatchQueue(label: "ServiceHost.timer").async(execute: function) }
    }

    /// Ends the process after a time, even if no task can run because all threads of tasks are blocked.
    ///
    /// - Parameters:
    ///   - status: the exit status.
    ///   - time: the time until the end.
    ///   - report: runs before on another thread. The process does not wait for its end.
    static func end(_ status: CInt, after time: Duration, report: @escaping @Sendable () -> Void) {
        run(after: time, report)
        run(after: time + .milliseconds(100)) { _exit(status) }
    }

    /// The end of the pipe that the handler writes to.
    private static let writer = Atomic<CInt>(-1)
    /// The number of signals that have asked the process to stop.
    private static let stops = Atomic(0)

    /// Handles the signals, and passes each to a function, which runs on a thread of its own.
    ///
    /// Dispatch's sources are not used: they need the signals to be ignored first, so a signal could be lost, and child
    /// processes would ignore them too.
    ///
    /// - Parameter receive: gets the number of each signal.
    static func handleSignals(_ receive: @escaping @Sendable (CInt) -> Void) {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        let reader = ends[0]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        writer.store(ends[1], ordering: .releasing)
        _ = stops.load(ordering: .relaxed)  // Debug builds initialize globals at their first use.
        DispatchQueue(label: "ServiceHost.signals").async {
            var number: UInt8 = 0
            while true {
                let count = unsafe read(reader, &number, 1)
                if count == 1 { receive(CInt(number)) } else if errno != EINTR { return }
            }
        }
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number) { Platform.note($0) } }
        signal(SIGPIPE) { _ in }
    }

    /// The name of a signal.
    static func name(_ number: CInt) -> String { number == SIGINT ? "SIGINT" : number == SIGHUP ? "SIGHUP" : "SIGTERM" }

    /// Runs as a signal handler, on any thread and in the middle of any other function, so it only uses atomics and
    /// calls `write` and `_exit`.
    private static func note(_ number: CInt) {
        let saved = errno
        if number != SIGHUP, stops.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { _exit(128 + number) }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(writer.load(ordering: .acquiring), &byte, 1)
        errno = saved
    }
}

/// A failure to write to the standard output. It has the exit status 74, EX_IOERR of sysexits.h.
struct OutputError: Error {
    static let status: Int32 = 74

    let cause: String
    var text: String { "the standard output cannot be written: \(cause)" }
}

extension ServiceSignal {
    /// Creates a signal from its number.
    init(_ number: CInt) { self = number == SIGHUP ? .reload : .stop }
}
