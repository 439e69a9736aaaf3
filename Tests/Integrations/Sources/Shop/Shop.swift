import Container
import Foundation
import Hummingbird
import Logging
import PropertyLoaders
import ServiceLifecycle

@main
struct Shop {
    static func main() async throws {
        let container = Container()
        container.declareShop()
        container.registerShop()
        let commandLine = CommandLinePropertyLoader(passthrough: ["help"])
        if commandLine.remaining.contains("--help") { return print(container.properties.reference(as: .help())) }
        let sources: [any PropertyLoader] =
            .standardSources(
                file: URL(filePath: "config.toml"), profileVariable: "SHOP_PROFILE",
                secrets: DirectoryPropertyLoader(url: URL(filePath: "secrets")),
                environment: EnvironmentPropertyLoader(prefix: "SHOP"), commandLine: commandLine)
        do {
            try await container.start(sources)
        } catch {
            error.reportAndExit()
        }
        try await run(container)
        report("stopped")
    }

    private static func run(_ container: Container) async throws {
        let properties = container.properties
        LoggingSystem.bootstrap { label in
            shopLogHandler(StreamLogHandler.standardError(label: label), properties)
        }
        let logger = Logger(label: "shop")
        let settings = try container.settings(ShopSettings.self)
        let watcher = PropertyWatcher(container, debounce: settings.reload.debounce) { error in
            logger.error("settings not reloaded: \(error)")
        } onReload: { pending in
            for setting in pending { logger.notice("\(setting)") }
        }
        let server = Application(
            router: shopRouter(container),
            configuration: .init(address: .hostname("127.0.0.1", port: settings.server.port)),
            onServerRunning: { channel in report("listening on \(channel.localAddress?.port ?? 0)") },
            logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [
                ContainerService(container: container), SettingsService(watcher: watcher), server,
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Closes everything at the end.
struct ContainerService: Service {
    let container: Container

    func run() async {
        try? await gracefulShutdown()  // also returns when the group is cancelled
        await container.close()
    }
}

/// Reloads the settings when a file changes.
struct SettingsService: Service {
    let watcher: PropertyWatcher
    func run() async throws { try await watcher.run(until: gracefulShutdown) }
}

/// Prints a line at once, even if the output is a file.
func report(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
