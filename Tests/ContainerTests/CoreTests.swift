import Foundation
import TestSupport
import Testing

@Suite("The core of the container, which knows nothing of what is built on it")
struct CoreTests {
    /// All that the core knows of closing, following, starting, reports and requests.
    private static let stub = """
        import SharedState
        struct LifeOptions: Sendable { var draining: Duration? }
        struct ContainerLife: ~Copyable {
            struct Completed { func finish(_ shared: SharedInstance, in container: Container) {} }
            mutating func began(_ shared: SharedInstance) {}
            var canClose: Bool { true }
            mutating func isWanted(_ successor: SharedInstance, inPlaceOf current: SharedInstance) -> Bool { true }
            mutating func completed(
                _ shared: SharedInstance, inPlaceOf former: SharedInstance?, isCurrent: Bool
            ) -> Completed { Completed() }
            mutating func failed(_ shared: SharedInstance) {}
            var causeOfClosing: String? { nil }
            static func mayHold(_ shared: SharedInstance, in dependent: SharedInstance) -> Bool { true }
            static func released(_ container: Container) {}
            mutating func lostEntry(_ shared: SharedInstance) -> FormerPhase? { nil }
            static func check(_ registration: Registration) {}
            static func close(_ departed: [Departed]) {}
            static func registered(_ key: ServiceKey, inPlaceOf former: SharedInstance?, in container: Container) {}
            static func found(_ shared: SharedInstance, from container: Container) {}
        }
        """

    @Test("The core compiles with a stub in place of all that is built on it")
    func compilesAlone() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let core = root.appendingPathComponent("Sources/Container/Core")
        let files = FileManager.default.enumerator(atPath: core.path)?.compactMap { $0 as? String } ?? []
        let sources = files.filter { $0.hasSuffix(".swift") }.map { core.appendingPathComponent($0).path }
        try #require(sources.count > 20)
        // The package manager names the package as its folder, with `_` in place of what is no identifier.
        let folder = root.lastPathComponent.lowercased()
        let package = String(folder.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        let outcome = try await Compiler.compileContainer(sources, Self.stub, package: package)
        #expect(outcome.compiles, "\(outcome.lines("error").joined(separator: "\n"))")
        let without = try await Compiler.compileContainer(sources, "", package: package)
        #expect(!without.compiles)
    }
}
