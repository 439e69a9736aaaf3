import Container
import Foundation
import Logging
import PropertyLoaders
import ServiceLifecycle

/// The service of the article about ServiceLifecycle. It loads the file that its argument names, runs until a signal,
/// and prints what happens.
@main
struct LifecycleSample {
    static func main() async throws {
        let container = Container()
        let file = URL(filePath: CommandLine.arguments[1])
        try container.applyPropertyLoader(TomlPropertyLoader(url: file))
        container.register(Connection.self) { r in Connection(try r.require("db.name")) }
            .inObjectScope(.container)
            .onClose { $0.close() }
        _ = try container.require(Connection.self)

        let logger = Logger(label: "sample", factory: { _ in SwiftLogNoOpLogHandler() })
        let watcher = PropertyWatcher(container) { error in logger.error("settings not reloaded: \(error)") }
        // A group ends its services in reverse order: the container is closed when nothing uses it any more.
        let services: [any Service] = [
            ContainerService(container: container), SettingsService(watcher: watcher), Changes(container: container),
        ]
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // A service that takes longer is cancelled, and the group fails.
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        try await ServiceGroup(configuration: configuration).run()
        report("stopped")
    }
}

/// Prints each change. It prints "ready" when the first changes can be seen.
private struct Changes: Service {
    let container: Container

    func run() async throws {
        let changes = container.changes()
        report("ready")
        for await changes in changes.cancelOnGracefulShutdown() {
            for change in changes { report("\(change.name) changed") }
        }
        report("no more changes")
    }
}

private struct Connection: Sendable {
    let name: String
    init(_ name: String) {
        self.name = name
        report("\(name) open")
    }
    func close() { report("\(name) closed") }
}

/// Prints a line at once, even if the output is a file.
private func report(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
