import Foundation
import Testing

/// A run of the executable `HostedService`, or of another executable, in a folder of its own.
final class HostedProcess {
    let output = Lines()
    let errors = Lines()
    let folder = FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString)")
    private let process = Process()
    private let ended: AsyncStream<Void>

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - scenario: the phase that waits or fails.
    ///   - arguments: its arguments.
    ///   - files: the files in its folder.
    ///   - profile: the value of the variable that names its profile.
    ///   - program: the name of the executable.
    ///   - variables: variables in addition to the variables of the tests.
    ///   - permissions: the permissions of some of the files.
    ///   - device: the path of what the standard output is written to, instead of `output`.
    ///   - closed: the descriptors that are closed when it starts.
    ///   - script: what a shell does to start it, as `exec "$0" "$@"` with redirections.
    ///   - stalled: whether nobody reads its standard error stream, which is full.
    /// - Throws: an error if it cannot be started.
    init(
        _ scenario: String, _ arguments: [String] = [], files: [String: String] = ["config.toml": ""],
        profile: String = "", program: String = "HostedService", variables: [String: String] = [:],
        permissions: [String: Int] = [:], writesTo device: String? = nil, closes closed: [Int] = [],
        script: String? = nil, stalls stalled: Bool = false
    ) throws {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        for (name, text) in files {
            let directory = folder.appending(path: name).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try replace(name, by: text)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, permissions) in permissions {
            try FileManager.default.setAttributes(
                [.posixPermissions: permissions], ofItemAtPath: folder.appending(path: name).path)
        }
        // The executable is built next to the test bundle.
        let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: program)
        let redirections = closed.map { "\($0)>&-" }.joined(separator: " ")
        let script = script ?? (closed.isEmpty ? nil : "exec \"$0\" \"$@\" \(redirections)")
        process.executableURL = script == nil ? executable : URL(filePath: "/bin/sh")
        process.arguments =
            (script.map { ["-c", $0, executable.path(percentEncoded: false)] } ?? []) + arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SCENARIO": scenario, "HOSTED_PROFILE": profile]) { _, own in own }
            .merging(variables) { _, own in own }
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = device.flatMap { FileHandle(forWritingAtPath: $0) } ?? output.pipe
        process.standardError = errors.pipe
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        if device != nil { try output.pipe.fileHandleForWriting.close() }
        output.read()
        if stalled { try errors.fill() } else { errors.read() }
    }

    /// The line about a signal.
    static func stopping(_ signal: Int32, _ delay: String? = nil) -> String {
        "stopping: \(signal == SIGINT ? "SIGINT" : "SIGTERM")\(delay.map { ", serving on for \($0)" } ?? "")"
            + "; another signal after a second ends the process at once"
    }

    /// Replaces a file by renaming another file over it, as editors do, or removes it.
    func replace(_ name: String, by text: String?) throws {
        guard let text else { return try FileManager.default.removeItem(at: folder.appending(path: name)) }
        try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
    }

    /// The text of a file in its folder.
    func text(of name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    #if os(Linux)
        /// Returns when every thread of the process waits, so that its log has written what it can.
        func waitUntilIdle() async throws {
            let tasks = "/proc/\(process.processIdentifier)/task"
            while try FileManager.default.contentsOfDirectory(atPath: tasks).contains(where: { thread in
                // The state follows the name of the program, which is in parentheses. A thread that has ended has no file.
                let fields = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8).split(
                    separator: ")")
                return fields?.last?.hasPrefix(" S ") != true
            }) {
                await Task.yield()
            }
        }
    #endif

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits until the process ends, and returns its exit status, or the negative number of the signal that ended it.
    func status() async -> Int32 {
        for await _ in ended {}
        await output.readToEnd()
        if errors.isRead { await errors.readToEnd() }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }
}

extension String {
    /// The line with an empty time, if it is an event as JSON.
    var timeless: String {
        replacing(/"time": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, with: #""time": """#)
    }
}

/// The lines that a process writes to a pipe. The process is in another phase after each line that a test waits for.
final class Lines {
    fileprivate let pipe = Pipe()
    /// The lines that the test has waited for, and those before them.
    private(set) var all: [String] = []
    private let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    private lazy var iterator = lines.makeAsyncIterator()

    var text: String { all.joined(separator: "\n") }
    /// The lines that do not only say that a signal has arrived.
    var others: [String] { said.filter { !$0.hasPrefix("stopping: ") } }
    /// The lines that do not only say that the service has started, or has ended by itself.
    var said: [String] {
        all.filter { !$0.hasPrefix("started in ") && $0 != "the service ended by itself" }
    }
    /// The lines that are events as JSON, without times, and without the event of the start.
    var events: [String] {
        all.map(\.timeless).filter { $0.hasPrefix("{") && !$0.contains(#""event": "started""#) }
    }

    /// Waits until the process writes a line.
    func wait(for line: String) async throws { try await wait { $0.timeless == line } }

    /// Waits until the process writes a line that fits, and returns it.
    @discardableResult
    func wait(until isWanted: (String) -> Bool) async throws -> String {
        while let next = await iterator.next() {
            all.append(next)
            if isWanted(next) { return next }
        }
        throw Failure(description: "the line did not come; there are: \(all)")
    }

    /// Whether a thread reads the pipe.
    fileprivate private(set) var isRead = false

    /// Fills the pipe, so that each further write blocks.
    fileprivate func fill() throws {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        // The process shares the flags of the pipe.
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        var byte: UInt8 = 0x2E
        while unsafe write(descriptor, &byte, 1) == 1 {}
        _ = fcntl(descriptor, F_SETFL, flags)
    }

    func readToEnd() async { while let next = await iterator.next() { all.append(next) } }

    /// Reads on a thread of its own. `FileHandle` is not used for reading, because it traps if a signal, such as
    /// SIGCHLD, interrupts a read.
    fileprivate func read() {
        isRead = true
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        DispatchQueue(label: "lines").async { [continuation, pipe] in
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                text += String(decoding: buffer[..<count], as: UTF8.self)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                for line in lines.dropLast() { continuation.yield(String(line)) }
                text = String(lines.last ?? "")
            }
            if !text.isEmpty { continuation.yield(text) }
            continuation.finish()
            withExtendedLifetime(pipe) {}
        }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }
}
