import Container
import Foundation
import PropertyLoaders

struct ServerSettings: Settings {
    @Setting("The address to listen on") var host = "127.0.0.1"
    @Setting("Where clients connect", in: 1...65535) var port = 8080
}

struct Server {
    let settings: ServerSettings
}

let container = Container()
container.declare(ServerSettings.self, at: "server")
container.register(Server.self) { r in Server(settings: try r.settings(ServerSettings.self)) }
    .inObjectScope(.container)

do {
    try await container.start(
        .standardSources(
            file: URL(filePath: "config.toml"),
            environment: EnvironmentPropertyLoader(prefix: "APP"),
            commandLine: CommandLinePropertyLoader()))
} catch {
    error.reportAndExit()
}

let settings = try container.require(Server.self).settings
print("listening on \(settings.host):\(settings.port)")
