import Foundation
import TestSupport
import Testing

@Suite("The sample that comes from Swinject")
struct SampleTests {
    private let sources = Repository.root.appending(path: "Fixtures/Migration/Sources")

    /// Compiles the sample, with the accessor of the bundle that the package manager writes.
    private func compile(_ form: String, mode: Int) async throws -> Compiler.Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appending(path: "Bundle.swift")
        try "import Foundation\nextension Bundle { static var module: Bundle { .main } }".write(
            to: bundle, atomically: true, encoding: .utf8)
        let files = ["main", "Assemblies", "Services"].map { sources.appending(path: "\(form)/\($0).swift") }
        return try await Compiler.compile(files: files + [bundle], mode: mode)
    }

    @Test("As it was written for Swinject it compiles in Swift 5 mode, with a warning for each name that is gone")
    func before() async throws {
        let outcome = try await compile("Before", mode: 5)
        #expect(outcome.compiles, "\(outcome.messages)")
        // The compiler prints a warning about a pattern twice.
        let warnings = Set(outcome.lines("warning"))
        #expect(warnings.count { $0.contains("deprecated") } == 19, "\(outcome.messages)")
        #expect(warnings.count == 20, "\(outcome.messages)")
    }

    @Test("When its warnings have been followed, it compiles in Swift 6 mode without one")
    func after() async throws {
        let outcome = try await compile("After", mode: 6)
        #expect(outcome.compiles && outcome.messages.isEmpty, "\(outcome.messages)")
    }
}
