import Hummingbird
import Logging
import ServiceHost
import ServiceLifecycle

@main
struct Shop {
    static func main() async {
        let container = Container()
        container.declareSettings()
        container.registerServices()
        let sources: PropertySources = .standardSources(
            file: "config.toml", secrets: "secrets", environment: "SHOP")
        await container.run(sources, dumpsAt: .usr1, bodyReportsReady: true) { container in try await serve(container) }
    }

    /// Serves until the task is cancelled. The requests that have begun are then answered.
    private static func serve(_ container: Container) async throws {
        let logger = Logger(label: "shop")
        let settings = try container.settings(ServerSettings.self)
        let application = Application(
            router: shopRouter(container),
            configuration: .init(address: .hostname(settings.host, port: settings.port)),
            onServerRunning: { channel in
                print("listening on \(channel.localAddress?.port ?? 0)")
                container.reportReady()
            },
            logger: logger)
        do {
            try await run(application, logger)
        } catch  where !(error is CancellationError) {
            // The error about a port that is in use does not name it.
            throw ServerError(description: "the server at \(settings.host):\(settings.port): \(error)")
        }
    }

    private static func run(_ application: some ServiceLifecycle.Service, _ logger: Logger) async throws {
        let group = ServiceGroup(services: [application], logger: logger)
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }
}

struct ServerError: Error, CustomStringConvertible {
    let description: String
}
