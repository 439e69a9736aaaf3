import Foundation
import PropertyLoaders
import TestSupport

/// One run of the built `properties` executable, or of another executable.
struct ToolRun {
    let status: Int32
    let output: String
    let errors: String

    /// The variables that each run has in addition to the environment of the tests.
    static let environment = ["TOOLTEST_API__TIMEOUT": "7", "TOOLPROFILE_PROFILE": "test"]

    /// Runs the tool and waits until it exits.
    ///
    /// - Parameters:
    ///   - arguments: its command line.
    ///   - input: the text on its standard input.
    ///   - folder: its working directory.
    ///   - executable: the name of the executable.
    /// - Throws: the error if the tool cannot be started.
    init(
        _ arguments: [String], input: String = "", in folder: URL? = nil, executable: String = "properties"
    ) async throws {
        // Uses files instead of pipes. A pipe may become full, and the exit of a child process interrupts reads from
        // it.
        let files = try TemporaryFolder(["input": input, "output": "", "errors": ""])
        let process = try Self.process(arguments, in: files, workingIn: folder, executable: executable)
        try await process.runToEnd()
        output = try files.text(of: "output")
        errors = try files.text(of: "errors")
        status = process.terminationStatus
    }

    /// Creates a process for the tool, without starting it.
    ///
    /// - Parameters:
    ///   - arguments: its command line.
    ///   - files: a folder whose files `input`, `output` and `errors` become its standard streams.
    ///   - folder: its working directory; by default the folder of the files.
    ///   - script: a shell script to run instead, which starts the tool with its arguments as `"$0" "$@"`.
    ///   - executable: the name of the executable.
    /// - Returns: the process, which is not running yet.
    /// - Throws: the error if a stream cannot be opened.
    static func process(
        _ arguments: [String], in files: TemporaryFolder, workingIn folder: URL? = nil, through script: String? = nil,
        executable: String = "properties"
    ) throws -> Process {
        let process = Process()
        // The executable is built next to the test bundle.
        let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(executable)
        process.executableURL = script == nil ? tool : URL(fileURLWithPath: "/bin/sh")
        process.arguments = script.map { ["-c", $0, tool.path] + arguments } ?? arguments
        process.environment = ProcessInfo.processInfo.environment.merging(Self.environment) { _, own in own }
        process.currentDirectoryURL = folder ?? files.url
        process.standardInput =
            (try? FileHandle(forReadingFrom: files.url.appendingPathComponent("input"))) ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files.url.appendingPathComponent("output"))
        process.standardError = try FileHandle(forWritingTo: files.url.appendingPathComponent("errors"))
        return process
    }
}

/// A folder with files, which is removed after the test.
final class TemporaryFolder {
    let url: URL

    init(_ files: [String: String]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("properties-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: url.appendingPathComponent(name)) }
    }

    /// Returns the text of a file.
    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
