import Foundation
import Testing

/// A program of this package that runs as a process of its own, in a folder that is removed with it.
final class Child {
    let folder: URL
    private let process = Process()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: the name of its target.
    ///   - arguments: its arguments.
    ///   - variables: variables in addition to the variables of the tests.
    ///   - files: the files in its working directory, by name. A name may contain directories.
    /// - Throws: the error if a file cannot be written or the program cannot be started.
    init(
        _ program: String, _ arguments: [String] = [], variables: [String: String] = [:], files: [String: String]
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("integration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
        for name in ["output", "errors"] { try Data().write(to: folder.appendingPathComponent(name)) }
        // The programs are built next to the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        // Files instead of pipes, since a pipe may become full.
        process.standardOutput = try FileHandle(forWritingTo: folder.appendingPathComponent("output"))
        process.standardError = try FileHandle(forWritingTo: folder.appendingPathComponent("errors"))
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Replaces a file by renaming another file over it, as editors and deployments do.
    func write(_ text: String, to name: String) throws {
        let (file, new) = (folder.appending(path: name), folder.appending(path: "new"))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: new)
        try move(new, to: file)
    }

    /// Replaces a file or a link by a link.
    func link(_ name: String, to target: String) throws {
        let new = folder.appending(path: "new")
        try FileManager.default.createSymbolicLink(atPath: new.path, withDestinationPath: target)
        try move(new, to: folder.appending(path: name))
    }

    private func move(_ new: URL, to file: URL) throws {
        guard rename(new.path, file.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    var output: String { get throws { try text(of: "output") } }
    var errors: String { get throws { try text(of: "errors") } }

    /// The memory of the process that is not swapped out, in KB.
    var residentMemory: Int {
        get throws {
            let pages = try String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)
            let resident = pages.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return try #require(resident) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
        }
    }

    /// Waits until the output contains a text, for at most a minute.
    func waitForOutput(
        _ text: String, times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<6000 {
            if try output.ranges(of: text).count >= times { return }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        let (found, errors) = (try output, try errors)
        try #require(found.ranges(of: text).count >= times, "\(found)\n\(errors)", sourceLocation: sourceLocation)
    }

    /// Waits until the standard error stream has a text a number of times, for at most a minute.
    func waitForErrors(_ text: String, times: Int) async throws {
        for _ in 0..<6000 where try errors.ranges(of: text).count < times {
            try await Task.sleep(for: .milliseconds(10))
        }
        try #require(try errors.ranges(of: text).count >= times, "\(text)")
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends SIGTERM, and waits until the process ends, for at most a minute.
    ///
    /// - Returns: the exit status, or nil if a signal ended the process or it still runs.
    func terminate() async throws -> Int32? {
        send(SIGTERM)
        return try await exitStatus
    }

    /// The exit status. Waits at most a minute.
    var exitStatus: Int32? {
        get async throws {
            for _ in 0..<6000 where process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
            if process.isRunning || process.terminationReason != .exit { return nil }
            return process.terminationStatus
        }
    }

    private func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }
}
