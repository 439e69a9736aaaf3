import ServiceHost

struct Mailer: Sendable { let host: String }
struct Outbox: Sendable { let mailer: Provider<Mailer> }

@main
struct Notifier {
    static func main() async {
        let container = Container()
        container.declare(NotifierSettings.self)
        container.register(Mailer.self) { r in Mailer(host: try r.require("mail.host")) }
            .inObjectScope(.container).followsSettings()
        container.register(Outbox.self) { r in Outbox(mailer: try r.require(Provider<Mailer>.self)) }
            .inObjectScope(.container)
        let sources: PropertySources = .standardSources(
            file: "config.toml", secrets: "secrets", environment: "NOTIFIER")
        await container.run(sources) { container in
            let outbox = try container.require(Outbox.self)
            while true {
                let settings = try container.settings(NotifierSettings.self)
                print("\(settings.sender) sends by \(try outbox.mailer.get().host)")
                try await Task.sleep(for: settings.queue.pause)
            }
        }
    }
}
