import ServiceHost

struct ProxySettings: Settings {
    @Setting("The names that it serves") var hosts: [String] = []
    @Setting("What it adds to each request") var headers: [String: String] = [:]
    var upstreams: [Upstream] = []

    struct Upstream: Settings {
        @Setting("Where requests go") var url: String
        @Setting("Its share of the requests", in: 0...100) var weight = 1
    }
}

@main
struct ReadAList {
    static func main() async {
        let container = Container()
        container.declare(ProxySettings.self)
        await container.run(.standardSources(file: "config.toml", environment: "APP")) { container in
            let proxy = try container.settings(ProxySettings.self)
            print(proxy.hosts.joined(separator: " and "))
            for upstream in proxy.upstreams { print("\(upstream.url), weight \(upstream.weight)") }
        }
    }
}
