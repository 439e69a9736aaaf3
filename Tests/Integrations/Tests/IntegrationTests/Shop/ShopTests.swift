import Foundation
import Testing

@Suite("The shop, a service with the packages that services use", .timeLimit(.minutes(60)))
struct ShopTests {
    /// The settings of a version. Torn values would not have a price of twice the discount.
    private static func settings(_ version: Int) -> String {
        "[offer]\nprice = \(version * 2)\ndiscount = \(version)\n"
    }

    /// How often each broken file is written. Four good ones come before it.
    private static let rounds = ProcessInfo.processInfo.environment["LONG"] == nil ? 1 : 20

    private static let broken: [(settings: String, problem: String)] = [
        ("[offer\nprice = 1", "config.toml:1:1: "),
        ("[offer]\nprice = \"8\"\ndiscount = 4\n", "config.toml:2:9: 'offer.price' is the string \"8\"; expected"),
        ("[offer]\nprice = 0\ndiscount = 0\n", "config.toml:2:9: 'offer.price' is the integer 0; expected a price"),
        ("[offer]\ndiscount = 4\n", "'offer.price' is missing"),
        ("[offer]\nprice = 8\ndiscuont = 4\n", "config.toml:3:1: 'offer.discuont' is not a key that is read"),
    ]

    @Test("Rewrites and broken files under load fail no request, and SIGTERM closes everything")
    func life() async throws {
        let running = try await RunningShop(settings: Self.settings(1))
        var version = 1
        let load = try await Load.run(running.port, "/offer", isGood: Self.isUntorn) { _ in
            for (settings, problem) in Array(repeating: Self.broken, count: Self.rounds).joined() {
                for _ in 0..<4 {
                    version += 1
                    try running.shop.write(Self.settings(version), to: "config.toml")
                    let expected = "\(version * 2) \(version)"
                    try await running.wait(for: "/offer") { $0 == expected }
                }
                let last = "\(version * 2) \(version)"
                try running.shop.write(settings, to: "config.toml")
                try await running.wait(for: "/health") { $0.contains("settings: \(problem)") }
                try await running.wait(for: "/offer") { $0 == last }
                // The same contents as before: the settings are good again, although none of them changes.
                try running.shop.write(Self.settings(version), to: "config.toml")
                try await running.wait(for: "/health") { $0.hasSuffix("settings: ok") }
            }
        }
        #expect(load.problems.isEmpty)
        #expect(load.requests > 1000)
        try await order(running.port, cents: "\(version)")
        // An idle connection does not delay the end.
        let idle = try LoopbackClient(port: running.port)
        #expect(try await running.shop.terminate() == 0)
        let lines = try running.shop.output.split(separator: "\n")
        #expect(lines.first == "listening on \(running.port)" && lines.last == "connections closed")
        // Only the changes were printed, and none of them twice.
        #expect(lines.count == 2 + 2 * (version - 1))
        withExtendedLifetime(idle) {}
    }

    @Sendable private static func isUntorn(_ body: String) -> Bool {
        let numbers = body.split(separator: " ").compactMap { Int($0) }
        return numbers.count == 2 && numbers[0] == numbers[1] * 2
    }

    /// Orders with and without the token.
    private func order(_ port: Int, cents: String) async throws {
        let responses = try await onThread {
            let client = try LoopbackClient(port: port)
            let token = ["Authorization": "Bearer open sesame"]
            return try [
                client.send("POST", "/orders/tea"), client.send("POST", "/orders/tea", headers: token),
                client.send("POST", "/orders/cake", headers: token), client.get("/orders"),
                client.get("/stream"), client.get("/health"),
            ]
        }
        #expect(responses.map(\.status) == [401, 200, 200, 200, 200, 200])
        #expect(responses.map(\.body).suffix(5) == [cents, cents, "2", "1 open", "0 open; settings: ok"])
    }

    @Test("The files of Fixtures/Shop start it in a pod, with service links and an empty profile in the environment")
    func pod() async throws {
        let settings = try String(contentsOf: RunningShop.folder.appending(path: "config.toml"), encoding: .utf8)
        let running = try await RunningShop(
            [
                "SHOP_PROFILE": "",
                "SHOP_SERVICE_HOST": "10.0.0.7", "SHOP_SERVICE_PORT": "80", "SHOP_PORT": "tcp://10.0.0.7:80",
                "SHOP_PORT_80_TCP": "tcp://10.0.0.7:80", "SHOP_PORT_80_TCP_PROTO": "tcp",
                "SHOP_PORT_80_TCP_PORT": "80", "SHOP_PORT_80_TCP_ADDR": "10.0.0.7",
            ], settings: settings)
        try await running.wait(for: "/offer") { $0 == "250 25" }
        #expect(try await running.shop.terminate() == 0)
    }

    @Test("A database that cannot be reached stops the start with status 69, and its client is shut down")
    func unavailable() async throws {
        let child = try RunningShop.child(["SHOP_DB_URL": "http://127.0.0.1:1"], settings: Self.settings(1))
        #expect(try await child.exitStatus == 69)
        #expect(try child.output == "")
        #expect(try child.errors.contains("the factory of Database threw: the database at http://127.0.0.1:1: "))
    }

    @Test("Wrong settings stop the start with status 78 and all problems")
    func refused() async throws {
        let child = try RunningShop.child(
            ["SHOP_OFER_DISCOUNT": "1"], settings: "[offer]\nprice = 0\n[server]\nprot = 80\n")
        #expect(try await child.exitStatus == 78)
        #expect(try child.output == "")
        let errors = try child.errors
        for problem in [
            "'offer.price' is the integer 0; expected a price in cents from 1 to 100000", "'db.url' is missing",
            "'server.prot' is not a key that is read", "Did you mean SHOP_OFFER_DISCOUNT?",
        ] {
            #expect(errors.contains(problem))
        }
    }

    @Test("The picture in its article is drawn from what it answers to services --dot")
    func picture() async throws {
        let running = try await RunningShop(settings: Self.settings(1))
        let url = ["SHOP_DB_URL": "http://127.0.0.1:\(running.databasePort)"]
        let child = try RunningShop.child(url, ["services", "--dot"], settings: Self.settings(1))
        #expect(try await child.exitStatus == 0)
        #expect(try child.errors == "connections closed\n")
        let text = try String(contentsOf: RunningShop.folder.appending(path: "services.dot"), encoding: .utf8)
        #expect(try child.output == text)
        let article = RunningShop.folder.appending(path: "../../Sources/ServiceHost/ServiceHost.docc")
        let picture = try String(contentsOf: article.appending(path: "shop.svg"), encoding: .utf8)
        let labels = text.matches(of: /label="([^"]*)"/).map { String($0.1) }
        #expect(labels.count == 6)
        #expect(
            picture.matches(of: /<text [^>]*>(.*)<\/text>/).map { String($0.1) }.sorted() == labels.sorted(),
            "Run .ci/picture shop to draw it anew.")
        #expect(try await running.shop.terminate() == 0)
    }
}
