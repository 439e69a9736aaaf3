import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

/// The variables of a pod beside a service `shop-db` with two ports, as the documentation of Kubernetes lists them.
private let kubernetes = [
    "SHOP_DB_SERVICE_HOST": "10.0.0.11",
    "SHOP_DB_SERVICE_PORT": "6379",
    "SHOP_DB_SERVICE_PORT_CLIENT_TLS": "6379",
    "SHOP_DB_SERVICE_PORT_DNS": "53",
    "SHOP_DB_PORT": "tcp://10.0.0.11:6379",
    "SHOP_DB_PORT_6379_TCP": "tcp://10.0.0.11:6379",
    "SHOP_DB_PORT_6379_TCP_PROTO": "tcp",
    "SHOP_DB_PORT_6379_TCP_PORT": "6379",
    "SHOP_DB_PORT_6379_TCP_ADDR": "10.0.0.11",
    "SHOP_DB_PORT_53_UDP": "udp://10.0.0.11:53",
    "SHOP_DB_PORT_53_UDP_PROTO": "udp",
    "SHOP_DB_PORT_53_UDP_PORT": "53",
    "SHOP_DB_PORT_53_UDP_ADDR": "10.0.0.11",
]

@Suite("Service links of Kubernetes")
struct ServiceLinksTests {
    private func store(_ variables: [String: String], prefix: String = "SHOP", includes: Bool = false) throws
        -> PropertyStore
    {
        try PropertyStore(
            sources: EnvironmentPropertyLoader(
                prefix: prefix, includesServiceLinks: includes, environment: variables))
    }

    private func adding(_ variables: [String: String], to links: [String: String]) -> [String: String] {
        links.merging(variables) { $1 }
    }

    @Test(
        "All variables of a service are left out, and a warning names the service",
        arguments: ["SHOP", "SHOP_DB", ""])
    func kubernetesSet(prefix: String) throws {
        let store = try store(kubernetes, prefix: prefix)
        #expect(store.values.isEmpty)
        #expect(store.warnings.map(\.reason) == [.ignored])
        #expect(
            store.warnings.map(\.description) == [
                "environment: the service links of 'SHOP_DB' are not loaded. "
                    + "If they are settings, the developer can load them by includesServiceLinks: true."
            ])
    }

    @Test("A service with the name of the program is left out, and the program's own variables are loaded")
    func ownService() throws {
        let own = Dictionary(
            uniqueKeysWithValues: kubernetes.map { ($0.replacing("SHOP_DB", with: "SHOP"), $1) })
        #expect(try store(own).values.isEmpty)
        // A variable in the pod's specification replaces the one of the service.
        let overridden = try store(adding(["SHOP_PORT": "8080", "SHOP_NAME": "/shop", "SHOP_ENV_X": "1"], to: own))
        #expect(overridden.values == ["env_x=\"1\"", "name=\"/shop\"", "port=\"8080\""])
    }

    static let settings: [[String: String]] = [
        ["SHOP_PORT": "8080"],
        ["SHOP_SERVICE_PORT": "8080"],
        ["SHOP_DB_SERVICE_HOST": "0.0.0.0", "SHOP_DB_SERVICE_PORT": "8080"],
        ["SHOP_DB_SERVICE_HOST": "db.internal", "SHOP_DB_PORT": "5432"],
        ["SHOP_UPSTREAM_PORT": "tcp://10.0.0.1:80"],
        ["SHOP_PORT_80_TCP_ADDR": "x", "SHOP_DB_PORT_80_TCP_PROTO": "tcp"],
        ["SHOP_DB_NAME": "/shop/db", "SHOP_DB_ENV_X": "1"],
        ["SHOP_SERVICE_HOST": "tcp://10.0.0.1:80"],
    ]

    @Test("Variables that only resemble a part of such a set are settings", arguments: settings)
    func setting(_ variables: [String: String]) throws {
        let store = try store(variables)
        #expect(store.entries.count == variables.count)
        #expect(store.warnings.isEmpty)
    }

    @Test("Settings with similar names beside a service are loaded")
    func besideService() throws {
        let settings = [
            "SHOP_DB_PORT": "5432", "SHOP_DB_NAME": "/shop/db", "SHOP_DB_PORTS": "1", "SHOP_OTHER_PORT": "80",
            "SHOP_OTHER_SERVICE_PORT": "80",
        ]
        let store = try store(adding(settings, to: kubernetes))
        #expect(store.entries.count == settings.count)
        #expect(store.warnings.count == 1)
    }

    @Test("includesServiceLinks: true loads all of them, and there is no warning")
    func included() throws {
        let all = kubernetes.filter { !["tcp://", "udp://"].contains($0.value.prefix(6)) }
        let store = try store(all, includes: true)
        #expect(store.property("db_service_host") == "10.0.0.11")
        #expect(store.entries.count == all.count)
        #expect(store.warnings.isEmpty)
    }

    @Test("A service's name has 253 bytes at most", arguments: [(253, true), (254, false)])
    func longName(count: Int, isLink: Bool) throws {
        let name = String(repeating: "A", count: count)
        let store = try store(
            ["\(name)_SERVICE_HOST": "10.0.0.11", "\(name)_PORT": "tcp://10.0.0.11:80"], prefix: "")
        #expect(store.warnings.isEmpty == !isLink)
    }
}
