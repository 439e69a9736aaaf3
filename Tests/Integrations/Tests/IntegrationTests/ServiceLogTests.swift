import Foundation
import InMemoryLogging
import Logging
import ServiceHost
import Testing

@Suite("The log of a service")
struct ServiceLogTests {
    private static let sources: PropertySources = [
        TomlPropertyLoader(string: "text = \"a\"\npassword = \"b\"", name: "config.toml")
    ]

    private static func makeContainer() -> Container {
        let container = Container()
        container.properties.declare(TypedKey<String>("text"), TypedKey<String>("password", isSecret: true))
        return container
    }

    @Test("swift-log gets everything that run writes, with its level and fields")
    func swiftLog() async {
        // In a process of its own, because `run` ends it.
        await #expect(processExitsWith: .success) {
            let (container, sources, memory) = (Self.makeContainer(), Self.sources, InMemoryLogHandler())
            let logger = Logger(label: "greeter") { _ in memory }
            @Sendable func serve(_ container: Container) async throws {
                try container.properties.set(["text": "c", "password": "d"], fileID: "Set.swift", line: 7)
                func changes() -> [InMemoryLogHandler.Entry] {
                    memory.entries.filter { $0.metadata["event"] == "changed" }
                }
                while changes().count < 2 { try await Task.sleep(for: .milliseconds(1)) }
                let entries = changes()
                let texts = [
                    "password: ******** (config.toml:2:12) → ******** (set at Set.swift:7)",
                    #"text: "a" (config.toml:1:8) → "c" (set at Set.swift:7)"#,
                ]
                precondition(entries.map { "\($0.message)" } == texts)
                precondition(entries.allSatisfy { $0.level == .info })
                let fields = ["event": "changed", "key": "text", "old": "\"a\"", "new": "\"c\""]
                let source = ["source": "set at Set.swift:7"]
                precondition(
                    entries[1].metadata == fields.merging(source) { $1 }.mapValues { .string($0) })
            }
            // The arguments of this process are those of the tests.
            await container.run(
                sources, answersCommands: false,
                log: { event in
                    let level = Logger.Level(rawValue: event.level.rawValue) ?? .error
                    logger.log(level: level, "\(event)", metadata: event.fields.mapValues { .string($0) })
                }
            ) { container in try await serve(container) }
        }
    }

    @Test("A log of JSON has one object a line")
    func json() async throws {
        let result = await #expect(processExitsWith: .exitCode(69), observing: [\.standardOutputContent]) {
            let (container, sources) = (Self.makeContainer(), Self.sources)
            @Sendable func serve(_ container: Container) async throws { throw CocoaError(.fileNoSuchFile) }
            await container.run(sources, answersCommands: false, log: { print($0.json) }) { container in
                try await serve(container)
            }
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let line = try #require(output.split(separator: "\n").last { $0.hasPrefix("{") })
        let object = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(object["level"] == "error" && object["event"] == "ended")
        #expect(object["text"]?.hasPrefix("the service threw CocoaError: ") == true)
    }

    @Test("Without a choice of the operator, lines are text")
    func format() async throws {
        let result = await #expect(processExitsWith: .exitCode(69), observing: [\.standardErrorContent]) {
            let (container, sources) = (Self.makeContainer(), Self.sources)
            @Sendable func serve(_ container: Container) async throws { throw CocoaError(.fileNoSuchFile) }
            let format = LogFormat.chosen(variable: "APP_LOG_FORMAT", option: "log-format")
            await container.run(sources, answersCommands: false, logFormat: format) { container in
                try await serve(container)
            }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("\nthe service threw CocoaError: "))
    }

    // MARK: - The article

    // In the tests above, the process has the arguments of the tests, which `run` would refuse.

    private static func run(
        _ container: Container, _ sources: PropertySources, _ logger: Logger,
        serve: @escaping @Sendable (Container) async throws -> Void
    ) async {
        await container.run(
            sources,
            log: { event in
                let level = Logger.Level(rawValue: event.level.rawValue) ?? .error
                logger.log(level: level, "\(event)", metadata: event.fields.mapValues { .string($0) })
            }
        ) { container in try await serve(container) }
    }

    private static func run(
        _ container: Container, _ sources: PropertySources, serve: @escaping @Sendable (Container) async throws -> Void
    ) async {
        let format = LogFormat.chosen(variable: "APP_LOG_FORMAT", option: "log-format")
        await container.run(sources, logFormat: format) { container in try await serve(container) }
    }
}
