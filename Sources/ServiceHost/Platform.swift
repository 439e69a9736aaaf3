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
    /// pipe or a file. If the standard output was closed when the process was started, what is printed gets lost.
    static func prepareOutput() {
        StandardStreams.openMissing()
        // A write to a file that has reached the size limit of the process then fails, as on a full disk. By default,
        // the signal ends the process.
        _ = signal(SIGXFSZ) { _ in }
        #if canImport(Glibc)
            // Dispatch may have taken the number of the standard output, and what is printed must not go there.
            if StandardStreams.wasMissing(1), !Descriptor.isStream(1), let file = unsafe fopen("/dev/null", "w") {
                unsafe stdout = file
            }
        #endif
        unsafe setvbuf(stdout, nil, CInt(_IOLBF), 0)
    }

    /// Writes an answer of the process to the standard output.
    ///
    /// - Throws: an `OutputError` if that fails, for example because the disk is full.
    static func writeAnswer(_ text: String) throws(OutputError) {
        if StandardStreams.wasMissing(1) || !Descriptor.isStream(1) { throw OutputError(cause: "it is closed") }
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
    /// - Returns: the descriptor of the original output, or -1 if it is closed or no descriptor is free. Then nothing changes.
    static func redirectOutput() -> CInt {
        if !Descriptor.isStream(1) { return -1 }
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

    /// Ends the process, after the output has been flushed. It does not wait for an output that nobody reads: `exit`
    /// would wait for it without an end.
    static func end(_ status: CInt) -> Never {
        watchOutput(status)
        exit(status)
    }

    private static func watchOutput(_ status: CInt) {
        run(after: ServiceLog.longestWait) {
            if !Descriptor.isReady(1, within: 0) { _exit(status) }
            watchOutput(status)
        }
    }

    /// Runs a function on another thread after a time.
    static func run(after time: Duration, _ function: @escaping @Sendable () -> Void) {
        Deadline(after: time).whenReached { DispatchQueue(label: "ServiceHost.timer").async(execute: function) }
    }

    /// Ends the process after a time, even if no task can run because all threads of tasks are blocked.
    ///
    /// - Parameters:
    ///   - status: the exit status.
    ///   - time: the time until the report. The process ends half a second later.
    ///   - isOver: whether the process goes on, because the run is over.
    ///   - report: runs on another thread before the process ends, which does not wait for it.
    static func end(
        _ status: CInt, after time: Duration, unless isOver: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable () -> Void
    ) {
        run(after: time) {
            if isOver() { return }
            // This time begins with the report. If it began with `time`, a process that was paused for longer, by SIGSTOP
            // or with its container, could end before it has written the report.
            run(after: .milliseconds(500)) { if !isOver() { _exit(status) } }
            report()
        }
    }

    /// The ends of the pipes that the handler writes to: for the signals of the service, and for the end of the process.
    private static let writer = Atomic<CInt>(-1), endWriter = Atomic<CInt>(-1)
    /// The time of the first signal that has asked the process to stop, in nanoseconds, or 0.
    private static let firstStop = Atomic<Int64>(0)
    /// The number of that signal, or 0.
    private static let firstNumber = Atomic<CInt>(0)
    /// The number of signals that have asked for it more than a second later.
    private static let laterStops = Atomic(0)

    /// The number of the first signal that has asked the process to stop, or nil.
    static var stopSignal: CInt? {
        let number = firstNumber.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// A function that gets signals, and what runs before a later signal ends the process.
    private struct Receiver: Sendable {
        let id: Int
        let end: @Sendable (CInt) -> Void
        let receive: @Sendable (CInt) -> Void
    }

    /// The receivers, and the handlers that the first receiver has replaced. Only the last receiver gets the signals.
    private struct Handling {
        var receivers: [Receiver] = []
        var lastID = 0
        var former: [CInt: (@convention(c) (CInt) -> Void)?] = [:]
    }

    private static let handling = Guarded(Handling())

    /// Whether signals can be handled: the pipes and the threads that read them are there. They stay until the process ends.
    static let handlesSignals: Bool = {
        guard let signals = openPipe() else { return false }
        guard let ends = openPipe() else {
            for descriptor in [signals.reader, signals.writer] { _ = close(descriptor) }
            return false
        }
        writer.store(signals.writer, ordering: .releasing)
        endWriter.store(ends.writer, ordering: .releasing)
        DispatchQueue(label: "ServiceHost.signals").async {
            while let number = nextSignal(from: signals.reader) {
                handling.withLock { $0.receivers.last }?.receive(number)
            }
        }
        // This thread runs nothing that could wait for another one.
        DispatchQueue(label: "ServiceHost.end").async {
            guard let number = nextSignal(from: ends.reader) else { return }
            let written = DispatchSemaphore(value: 0)
            DispatchQueue(label: "ServiceHost.lastLine").async {
                handling.withLock { $0.receivers.last }?.end(number)
                written.signal()
            }
            _ = written.wait(timeout: .now() + .milliseconds(80))
            _exit(128 + number)
        }
        return true
    }()

    /// Handles the signals, and passes each to a function, which runs on a thread of its own.
    ///
    /// The first signal that asks the process to stop is passed. Others within a second are ignored: `timeout`, a
    /// process manager or a terminal with the parent of the process send one stop twice. A later one ends the process
    /// within a tenth of a second, whatever its other threads do, and another one ends it at once.
    ///
    /// Dispatch's sources are not used: they need the signals to be ignored first, so a signal could be lost, and child
    /// processes would ignore them too.
    ///
    /// - Parameters:
    ///   - dump: another signal that is passed, or nil.
    ///   - end: runs before a later signal ends the process, which does not wait for it.
    ///   - receive: gets the number of each signal.
    /// - Returns: a function that ends the handling. After the last one, the signals have their former handlers, and no stop
    ///   has come yet.
    @discardableResult
    static func handleSignals(
        dumpsAt dump: UserSignal? = nil, end: @escaping @Sendable (CInt) -> Void = { _ in },
        _ receive: @escaping @Sendable (CInt) -> Void
    ) -> @Sendable () -> Void {
        if !handlesSignals { return {} }
        // Debug builds initialize globals at their first use.
        _ = (firstStop.load(ordering: .relaxed), laterStops.load(ordering: .relaxed), stopSignal)
        let id = handling.withLock { handling in
            handling.lastID += 1
            handling.receivers.append(Receiver(id: handling.lastID, end: end, receive: receive))
            for number in [SIGTERM, SIGINT, SIGHUP] + [dump].compactMap({ $0?.number }) {
                let former = signal(number) { Platform.note($0) }
                if handling.former[number] == nil { handling.former[number] = .some(former) }
            }
            let former = signal(SIGPIPE) { _ in }
            if handling.former[SIGPIPE] == nil { handling.former[SIGPIPE] = .some(former) }
            return handling.lastID
        }
        return { stopHandling(id) }
    }

    private static func stopHandling(_ id: Int) {
        handling.withLock { handling in
            handling.receivers.removeAll { $0.id == id }
            guard handling.receivers.isEmpty else { return }
            for (number, former) in handling.former { _ = signal(number, former) }
            handling.former = [:]
            firstStop.store(0, ordering: .relaxed)
            firstNumber.store(0, ordering: .relaxed)
            laterStops.store(0, ordering: .relaxed)
        }
    }

    private static func openPipe() -> (reader: CInt, writer: CInt)? {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    /// Waits for a signal, and returns its number, or nil if the pipe cannot be read.
    private static func nextSignal(from reader: CInt) -> CInt? {
        var number: UInt8 = 0
        while unsafe read(reader, &number, 1) != 1 { if errno != EINTR { return nil } }
        return CInt(number)
    }

    static let hangup = SIGHUP
    static let userSignals = (SIGUSR1, SIGUSR2)

    /// The name of a signal that asks the process to stop.
    static func name(_ number: CInt) -> String { number == SIGINT ? "SIGINT" : "SIGTERM" }

    /// Runs as a signal handler, on any thread and in the middle of any other function, so it only uses atomics and
    /// calls `clock_gettime`, `write` and `_exit`.
    private static func note(_ number: CInt) {
        let saved = errno
        if number != SIGTERM, number != SIGINT {
            send(number, to: writer)
        } else if isFirstStop() {
            firstNumber.store(number, ordering: .relaxed)
            send(number, to: writer)
        } else if isLateStop() {
            if laterStops.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { _exit(128 + number) }
            send(number, to: endWriter)
        }
        errno = saved
    }

    private static func isFirstStop() -> Bool {
        firstStop.compareExchange(expected: 0, desired: nanoseconds(), ordering: .relaxed).exchanged
    }

    private static func isLateStop() -> Bool {
        nanoseconds() - firstStop.load(ordering: .relaxed) >= 1_000_000_000
    }

    /// The time of the monotonic clock.
    static func nanoseconds() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private static func send(_ number: CInt, to writer: borrowing Atomic<CInt>) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(writer.load(ordering: .acquiring), &byte, 1)
    }
}

/// The datagram socket of a process manager.
final class NotifySocket: Sendable {
    /// A problem of the socket.
    struct Failure: Error {
        let text: String
        init(_ problem: String) { text = "NOTIFY_SOCKET: \(problem)" }
    }

    private let descriptor: CInt
    /// The path with a zero byte at its end, or the name of an abstract socket with a zero byte at its start.
    private let path: [UInt8]
    private let hasFailed = Atomic(false)

    /// Opens a socket for messages to an address. Nothing is sent.
    ///
    /// - Parameter address: the path of a socket, or `@` and the name of an abstract socket of Linux.
    /// - Throws: the problem of the address, or of the system.
    init(_ address: String) throws(Failure) {
        let bytes = Array(address.utf8)
        guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@") else {
            throw Failure(
                "its value is neither a path nor @ and a name, so the process manager is told nothing. Correct the variable, "
                    + "or unset it")
        }
        path = bytes[0] == UInt8(ascii: "@") ? [0] + bytes.dropFirst() : bytes + [0]
        guard path.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            throw Failure(
                "its value is too long for the address of a socket, so the process manager is told nothing. Correct the "
                    + "variable, or unset it")
        }
        #if canImport(Glibc)
            descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        #else
            descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        if descriptor < 0 { throw Failure(unsafe String(cString: strerror(errno))) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Sends a message. It waits while the receiver has no room.
    ///
    /// - Returns: the problem, unless one was returned before.
    func send(_ message: String) -> Failure? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        // The length of an abstract address is the length of its name: other zero bytes would be a part of it.
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        let size = socklen_t(start + path.count), bytes = Array(message.utf8)
        let error = unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                while unsafe sendto(descriptor, bytes, bytes.count, 0, address, size) != bytes.count {
                    if errno != EINTR { return errno }
                }
                return 0
            }
        }
        if error == 0 || hasFailed.exchange(true, ordering: .relaxed) { return nil }
        let problem = unsafe String(cString: strerror(error))
        return Failure(
            "\(problem); the process manager does not get what is sent. Check that its socket exists, and that this user may "
                + "write to it")
    }

    deinit { _ = close(descriptor) }
}

/// A failure to write to the standard output. It has the exit status 74, EX_IOERR of sysexits.h.
struct OutputError: Error {
    static let status: Int32 = 74

    let cause: String
    var text: String { "the standard output cannot be written: \(cause)" }
}
