import Container
import PropertyLoaders
import ServiceLifecycle

struct SettingsService: Service {
    let watcher: PropertyWatcher

    func run() async throws { try await watcher.run(until: gracefulShutdown) }
}

struct ContainerService: Service {
    let container: Container

    func run() async {
        try? await gracefulShutdown()  // also returns when the group is cancelled
        await container.close()
    }
}
