import Container
import Foundation
import PropertyLoaders
import Synchronization
import Testing

func health(_ store: PropertyStore) -> String { store.status.json }
func info(_ store: PropertyStore) -> String { store.values.json }

@Suite("The examples on the operation of a service")
struct OperationsExamples {
    struct ServerSettings: Settings {
        @Setting("Where clients connect", in: 1...65535, needsRestart: true) var port = 8080
        @Setting("How long a request may take") var timeout = Duration.seconds(30)
    }

    private static let reloading = "Sources/PropertyLoadersEssentials/PropertyLoadersEssentials.docc/Reloading.md"

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
    }

    @Test("A setting that needs a restart, the status, and what a watcher reports")
    func restart() throws {
        let logs = Log(), file = File()
        @Sendable func log(_ text: String) { logs.lines.withLock { $0.append(text) } }
        let store = PropertyStore()
        store.declare(ServerSettings.self, at: "server")
        try store.applyAndVerify([file])
        file.text.withLock { $0 = "[server]\nport = 8199" }
        for pending in try store.reload() { log("\(pending)") }
        let article = try ReadmeBlocks.text(of: Self.reloading)
        let lines = logs.lines.withLock { $0 }
        #expect(lines.contains { article.contains("\n\($0)\n") }, "\(lines)")
        let json = health(store).replacing(/"age": [0-9.e-]+/, with: "\"age\": 12.5")
        #expect(article.contains("\n\(json)\n"), "\(json)")
        let types = try ReadmeBlocks.text(of: "Sources/Properties/Properties.docc/SettingsTypes.md")
        #expect(types.contains("\"server.host\": {\"value\": \"0.0.0.0\", \"origin\": \"default\"},"))
        #expect(info(store).contains("\"server.timeout\": {\"value\": \"30s\", \"origin\": \"default\"}"))
        let watcher = PropertyWatcher(
            store, debounce: .milliseconds(200), longestDelay: .seconds(1),
            onFailure: { error in log("not reloaded: \(error)") },
            onReload: { pending in for setting in pending { log("\(setting)") } })
        #expect("\(watcher)" == "PropertyWatcher of 0 files")
    }
}
