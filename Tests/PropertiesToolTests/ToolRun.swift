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
        // Files, and no pipes: nobody waits for room, and no read is interrupted by a child's end.
        let files = try TemporaryFolder(["input": input, "output": "", "errors": ""])
        process.standardInput = try FileHandle(forReadingFrom: files.url.appendingPathComponent("input"))
        process.standardOutput = try FileHandle(forWritingTo: files.url.appendingPathComponent("output"))
        process.standardError = try FileHandle(forWritingTo: files.url.appendingPathComponent("errors"))
        try process.run()
        process.waitUntilExit()
        output = try files.text(of: "output")
        errors = try files.text(of: "errors")
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

    /// What a file holds.
    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
