import Foundation

/// One run of the built `properties` executable.
struct ToolRun {
    let status: Int32
    let output: String
    let errors: String

    /// Runs the tool and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: its command line.
    ///   - input: what it finds on standard input.
    ///   - folder: its working directory.
    init(_ arguments: [String], input: String = "", in folder: URL? = nil) throws {
        let process = Process()
        // The executables are built beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("properties")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        // Small enough for a pipe's buffer, so that nobody waits for the other.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        output = String(decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        errors = String(decoding: standardError.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}

/// A folder of files that is gone after the test.
final class TemporaryFolder {
    let url: URL

    init(_ files: [String: String]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("properties-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: url.appendingPathComponent(name)) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
