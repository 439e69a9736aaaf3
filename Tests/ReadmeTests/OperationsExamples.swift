import Container
import ContainerReport
import Foundation
import PropertyLoaders
import Synchronization
import Testing

/// The recipes of the article on operations.
private struct Recipes {
    let sources = [TomlPropertyLoader(string: "[server]\nport = 8123", name: "config.toml")]
    let log: @Sendable (String) -> Void

    func health(_ container: Container) -> (code: Int, body: String) { (200, container.status.json) }
    func readiness(_ container: Container) -> Int { container.status.phase == .ready ? 200 : 503 }
    func info(_ container: Container) -> (code: Int, body: String) { (200, container.properties.values.json) }

    func startWhenAvailable(pause: Duration, _ makeContainer: () -> Container) async throws -> Container {
        while true {
            let container = makeContainer()
            do throws(ConfigurationErrors) {
                try await container.start(sources)
                return container
            } catch {
                guard error.exitStatus == 69 else { throw error }
                log("not started: \(error)")
            }
            try await Task.sleep(for: pause)
        }
    }
}

@Suite("The examples on the operation of a service")
struct OperationsExamples {
    struct ServerSettings: Settings {
        @Setting("Where clients connect", in: 1...65535, needsRestart: true) var port = 8080
        @Setting("How long a request may take") var timeout = Duration.seconds(30)
    }

    /// A file of settings that a test can change.
    private final class File: PropertyLoader {
        let text = Mutex("[server]\nport = 8123")

        func load() throws -> PropertyLayer {
            try TomlPropertyLoader(string: text.withLock { $0 }, name: "config.toml").load()
        }
    }

    /// The lines of a log.
    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
        func add(_ text: String) { lines.withLock { $0.append(text) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private let logs = Log()
    private let file = File()
    private let container = Container()

    init() throws {
        container.declare(ServerSettings.self, at: "server")
        try container.properties.start([file])
        file.text.withLock { $0 = "[server]\nport = 8199" }
    }

    @Test("A setting that needs a restart, the status, and what a watcher reports")
    func restart() throws {
        let store = container.properties
        @Sendable func log(_ text: String) { logs.add(text) }
        for pending in try store.reload() { log("\(pending)") }
        let article = try ReadmeBlocks.text(
            of: "Sources/ServiceHost/ServiceHost.docc/Reloading.md")
        #expect(logs.all.count == 1)
        #expect(logs.all.allSatisfy { article.contains("\n\($0)\n") }, "\(logs.all)")
        let json = store.status.json.replacing(/"(age|reloaded)": [0-9.e-]+/) { "\"\($0.1)\": 12.5" }
        #expect(article.contains("\n\(json)\n"), "\(json)")
        let watcher = PropertyWatcher(
            store, debounce: .milliseconds(200), longestDelay: .seconds(1),
            onFailure: { error in log("not reloaded: \(error)") },
            onReload: { pending in for setting in pending { log("\(setting)") } })
        #expect("\(watcher)" == "PropertyWatcher of 0 files")
    }

    @Test("The endpoints for health, readiness and settings")
    func endpoints() async throws {
        let recipes = Recipes { _ in }
        func withoutAges(_ json: String) -> String { json.replacing(/"(age|reloaded)": [0-9.e-]+/, with: "") }
        #expect(withoutAges(recipes.health(container).body) == withoutAges(container.status.json))
        #expect(recipes.readiness(container) == 503)
        let types = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/SettingsTypes.md")
        #expect(types.contains("\"server.host\": {\"value\": \"0.0.0.0\", \"origin\": \"default\"},"))
        #expect(
            recipes.info(container).body.contains("\"server.timeout\": {\"value\": \"30s\", \"origin\": \"default\"}"))
        try await container.start()
        #expect(recipes.readiness(container) == 200)
        await container.close()
        #expect(recipes.readiness(container) == 503)
    }

    @Test("A database that is down at the start is tried again, and a wrong setting is not")
    func down() async throws {
        struct Down: Error {}
        let attempts = Atomic(0)
        let started = try await Recipes(log: logs.add).startWhenAvailable(pause: .milliseconds(1)) {
            let container = Container()
            container.declare(ServerSettings.self, at: "server")
            let isUp = attempts.add(1, ordering: .relaxed).newValue > 2
            container.register(String.self) { _ async throws in
                if isUp { "database" } else { throw Down() }
            }
            .inObjectScope(.container)
            return container
        }
        #expect(try started.require(String.self) == "database")
        #expect(logs.all.count == 2)
        await #expect(throws: ConfigurationErrors.self) {
            _ = try await Recipes(log: logs.add).startWhenAvailable(pause: .seconds(60)) {
                let container = Container()
                container.properties.declare(TypedKey<Int>("missing"))
                return container
            }
        }
    }
}
