import ServiceHost

@main
struct Greeter {
    static func main() async {
        let container = Container()
        container.declare(GreeterSettings.self)
        await container.run(.standardSources(file: "config.toml", environment: "GREETER")) { container in
            for entry in container.properties.entries { print(entry) }
            while true {
                let greeting = try container.settings(GreeterSettings.self).greeting
                print(greeting.text)
                try await Task.sleep(for: greeting.every)
            }
        }
    }
}
