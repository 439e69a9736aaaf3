import Foundation
import ServiceHost

/// The example of a service that is composed by hand.
func compose(_ container: Container) async {
    let log: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
    let sources: PropertySources = .standardSources(environment: "HOSTED")
    let serve: @Sendable (Container) async throws -> Void = { container in
        print("serving\n", terminator: "")
        fflush(nil)
        try await HostedService.serve(container)
    }
    let signals = ServiceSignal.handle()
    do {
        try await container.start(sources)
        try await withThrowingTaskGroup { group in
            group.addTask { try await serve(container) }
            group.addTask { try await PropertyWatcher(container) { error in log("not reloaded: \(error)") }.run() }
            group.addTask {
                for await signal in signals {
                    if signal == .stop { return }
                    do { try container.properties.reload() } catch { log("not reloaded: \(error)") }
                }
            }
            defer { group.cancelAll() }
            try await group.next()  // the first to end ends the others
        }
    } catch {
        await container.close()
        ConfigurationErrors([error]).reportAndExit()
    }
    await container.close()
}
