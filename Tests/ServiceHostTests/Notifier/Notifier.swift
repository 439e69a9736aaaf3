import ServiceHost

@main
struct Notifier {
    static func main() async {
        let container = Container()
        container.declare(NotifierSettings.self)
        let sources: [any AsyncPropertyLoader] = .standardSources(
            file: "config.toml", secrets: "secrets", environment: "NOTIFIER")
        await container.run(sources) { container in
            while true {
                let settings = try container.settings(NotifierSettings.self)
                print("\(settings.sender) sends by \(settings.mail.host)")
                try await Task.sleep(for: settings.queue.pause)
            }
        }
    }
}
