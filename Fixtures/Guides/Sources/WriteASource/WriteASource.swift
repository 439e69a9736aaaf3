import ServiceHost

struct BuildInfo: PropertyLoader {
    func load() throws -> PropertyLayer {
        ["build.number": 4711, "build.features": ["search", "export"]]
    }
}

struct BuildSettings: Settings {
    @Setting("The number of the build") var number = 0
    @Setting("What is switched on") var features: [String] = []
}

@main
struct WriteASource {
    static func main() async {
        let container = Container()
        container.declare(BuildSettings.self, at: "build")
        let sources: PropertySources = [BuildInfo()] + .standardSources(environment: "APP")
        await container.run(sources) { container in
            for entry in container.properties.entries { print(entry) }
        }
    }
}
