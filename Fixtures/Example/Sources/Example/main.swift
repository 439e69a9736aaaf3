import Container
import Foundation
import PropertyLoaders

struct Server {
    let host: String
    let port: Int
}

let container = Container()
container.register(Server.self) { r in
    Server(host: try r.require("server.host"), port: try r.require("server.port"))
}
.inObjectScope(.container)

do {
    try await container.start(
        .standardSources(
            file: URL(filePath: "config.toml"),
            environment: EnvironmentPropertyLoader(prefix: "APP"),
            commandLine: CommandLinePropertyLoader()),
        unknownKeys: .refused)
} catch {
    error.reportAndExit()
}

let server = try container.require(Server.self)
print("listening on \(server.host):\(server.port)")
