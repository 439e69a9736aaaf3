import Foundation

/// Compiles snippets against the modules that this test was built with.
package enum Compiler {
    /// The result of a compilation.
    package struct Outcome {
        package let compiles: Bool
        package let messages: String

        /// The messages of a kind, such as "warning", that begin with the file and the line.
        package func lines(_ kind: String) -> [String] {
            messages.split(separator: "\n").map(String.init).filter { $0.contains(": \(kind): ") }
        }
    }

    struct NoModules: Error, CustomStringConvertible {
        let description = "no Modules/Container.swiftmodule beside the test executable or above it"
    }

    /// Compiles a snippet that imports `Container`.
    ///
    /// - Parameters:
    ///   - snippet: the code. It has no statements outside of functions.
    ///   - mode: the Swift language mode.
    /// - Returns: the outcome.
    /// - Throws: an error if the compiler cannot be started.
    package static func compile(_ snippet: String, mode: Int = 6) async throws -> Outcome {
        try await compile("import Container\n" + snippet, ["-parse-as-library"], mode: mode)
    }

    /// Compiles files as the module `Container`, against the built modules below it.
    ///
    /// - Parameters:
    ///   - files: the paths of the files.
    ///   - snippet: the code of one more file.
    ///   - package: the name of the package, by which the modules know each other.
    /// - Returns: the outcome.
    /// - Throws: an error if the compiler cannot be started.
    package static func compileContainer(_ files: [String], _ snippet: String, package: String) async throws -> Outcome
    {
        try await compile(snippet, ["-wmo", "-module-name", "Container", "-package-name", package] + files, mode: 6)
    }

    /// Compiles up to SIL, because `-typecheck` does not report errors of region isolation.
    private static func compile(_ text: String, _ arguments: [String], mode: Int) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Snippet.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-emit-sil", "-swift-version", "\(mode)", "-module-name", "Snippet", "-I", try modules.path,
                "-diagnostic-style", "llvm", "-o", "/dev/null",
            ] + arguments + [file.path]
        // For many files, the compiler leaves temporary files behind.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        // Writes the messages to a file instead of a pipe: FileHandle traps if a signal, such as SIGCHLD, interrupts a
        // read from a pipe.
        let messages = folder.appendingPathComponent("messages")
        try Data().write(to: messages)
        process.standardError = try FileHandle(forWritingTo: messages)
        process.standardOutput = FileHandle.nullDevice
        try await process.runToEnd()
        return Outcome(
            compiles: process.terminationStatus == 0,
            messages: String(decoding: try Data(contentsOf: messages), as: UTF8.self))
    }

    private final class Anchor {}

    /// The folder of the built modules. It is next to the test executable, or in a folder above if the tests are in a
    /// bundle.
    private static var modules: URL {
        get throws {
            for start in [Bundle.main.executableURL, Bundle(for: Anchor.self).executableURL].compactMap({ $0 }) {
                var folder = start.resolvingSymlinksInPath()
                while folder.pathComponents.count > 1 {
                    folder.deleteLastPathComponent()
                    let modules = folder.appendingPathComponent("Modules")
                    let module = modules.appendingPathComponent("Container.swiftmodule")
                    if FileManager.default.fileExists(atPath: module.path) { return modules }
                }
            }
            throw NoModules()
        }
    }
}
