import Container
import Foundation
import PropertyLoaders

@main
struct Greeter {
    static func main() async throws {
        let container = Container()
        let commandLine = CommandLinePropertyLoader(passthrough: ["help"])
        container.declare(GreeterSettings.self)
        if commandLine.remaining.contains("--help") { return print(container.properties.reference(as: .help())) }
        do {
            try await container.start(
                .standardSources(
                    file: URL(filePath: "config.toml"),
                    profileVariable: "GREETER_PROFILE",
                    environment: EnvironmentPropertyLoader(prefix: "GREETER"),
                    commandLine: commandLine),
                unknownKeys: .refused)
        } catch {
            error.reportAndExit()
        }

        for entry in container.properties.entries { say(entry) }
        let watcher = PropertyWatcher(container) { error in warn("not reloaded: \(error)") }
        await withThrowingTaskGroup { group in
            group.addTask { try await watcher.run() }
            group.addTask { for await changes in container.changes() { for change in changes { say(change) } } }
            group.addTask {
                while true {
                    let greeting = try container.settings(GreeterSettings.self).greeting
                    say(greeting.text)
                    try await Task.sleep(for: greeting.every)
                }
            }
            await stopSignal()
            group.cancelAll()
        }
        say("stopped")
    }
}
