import Foundation

/// Compiles snippets as a user's code would be, against the modules that this test was built with.
enum Compiler {
    /// What came of a snippet.
    struct Outcome {
        let compiles: Bool
        let messages: String
    }

    struct NoModules: Error, CustomStringConvertible {
        let description = "no Modules/Container.swiftmodule beside the test executable or above it"
    }

    /// Compiles as far as SIL: `-typecheck` does not see what region isolation refuses.
    static func compile(_ snippet: String) async throws -> Outcome {
        let modules = try modules
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Snippet.swift")
        try ("import Container\n" + snippet).write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-emit-sil", "-swift-version", "6", "-parse-as-library", "-module-name", "Snippet", "-I",
            modules.path, "-o", "/dev/null", file.path,
        ]
        // A file, and no pipe: FileHandle traps where a signal, such as that of a child's end, interrupts its read.
        let messages = folder.appendingPathComponent("messages")
        try Data().write(to: messages)
        process.standardError = try FileHandle(forWritingTo: messages)
        process.standardOutput = FileHandle.nullDevice
        try await end(of: process)
        return Outcome(
            compiles: process.terminationStatus == 0,
            messages: String(decoding: try Data(contentsOf: messages), as: UTF8.self))
    }

    /// Runs a process to its end, with no thread waiting: there are as few as cores, and other tests need them.
    private static func end(of process: Process) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }

    private final class Anchor {}

    /// The folder of the built modules: beside the test's executable, or above where that is a bundle.
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
