import Foundation
import Synchronization
import Testing

/// Counts the requests of several threads, and collects the wrong responses.
private final class Load: Sendable {
    private struct State {
        var isOver = false
        var requests = 0
        var problems: [String] = []
    }
    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }
    var requests: Int { state.withLock { $0.requests } }
    var problems: [String] { state.withLock { $0.problems } }
    func end() { state.withLock { $0.isOver = true } }

    /// Sends requests until `end` is called, and checks that price and discount are from the same version of the file.
    func run(_ port: Int) {
        do {
            let client = try LoopbackClient(port: port)
            while !isOver {
                let response = try client.get("/offer")
                let numbers = response.body.split(separator: " ").compactMap { Int($0) }
                let isGood = response.status == 200 && numbers.count == 2 && numbers[0] == numbers[1] * 2
                state.withLock { state in
                    state.requests += 1
                    if !isGood { state.problems.append("\(response)") }
                }
            }
        } catch {
            state.withLock { $0.problems.append("\(error)") }
        }
    }
}

@Suite("The shop, a service with the packages that services use", .timeLimit(.minutes(60)))
struct ShopTests {
    /// The settings of a version. Torn values would not have a price of twice the discount.
    private static func settings(_ version: Int) -> String {
        "[offer]\nprice = \(version * 2)\ndiscount = \(version)\n[reload]\ndebounce = \"5ms\"\n[log]\nlevel = \"error\"\n"
    }

    private static let broken: [(settings: String, problem: String)] = [
        ("[offer\nprice = 1", "config.toml:1:1: "),
        ("[offer]\nprice = \"8\"\ndiscount = 4\n", "config.toml:2:9: 'offer.price' is the string \"8\"; expected"),
        ("[offer]\nprice = 0\ndiscount = 0\n", "config.toml:2:9: 'offer.price' is the integer 0; expected a price"),
        ("[offer]\ndiscount = 4\n", "'offer.price' is missing"),
        ("[offer]\nprice = 8\ndiscuont = 4\n", "config.toml:3:1: 'offer.discuont' is not a key that is read"),
    ]

    private static func start(_ variables: [String: String] = [:], settings: String = settings(1)) throws -> Child {
        try Child(
            "Shop", variables: ["SHOP_SERVER__PORT": "0"].merging(variables) { $1 },
            files: ["config.toml": settings, "secrets/api.token": "open sesame\n"])
    }

    private static func port(of child: Child) async throws -> Int {
        try await child.waitForOutput("listening on ")
        try await child.waitForOutput("\n")
        let text = try child.output.split(separator: "\n").compactMap { $0.split(separator: "listening on ").last }
        return try #require(text.lazy.compactMap { Int($0) }.first)
    }

    /// Sends a request until the response is the expected one.
    private static func wait(_ port: Int, for path: String, _ isExpected: @escaping @Sendable (String) -> Bool)
        async throws
    {
        let last = try await onThread {
            let client = try LoopbackClient(port: port)
            var response = try client.get(path)
            for _ in 0..<3000 where !isExpected(response.body) {
                usleep(10_000)
                response = try client.get(path)
            }
            return response
        }
        try #require(isExpected(last.body), "\(path): \(last)")
    }

    @Test("100 rewrites and 10 broken files under load fail no request, and SIGTERM closes everything in order")
    func life() async throws {
        let child = try Self.start()
        let port = try await Self.port(of: child)
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await onThread { load.run(port) } } }
            defer { load.end() }
            var version = 1
            for round in 0..<10 {
                for _ in 0..<10 {
                    version += 1
                    try child.write(Self.settings(version), to: "config.toml")
                    let expected = "\(version * 2) \(version)"
                    try await Self.wait(port, for: "/offer") { $0 == expected }
                }
                let broken = Self.broken[round % Self.broken.count], last = "\(version * 2) \(version)"
                try child.write(broken.settings, to: "config.toml")
                try await Self.wait(port, for: "/health") { $0.contains("settings: \(broken.problem)") }
                try await Self.wait(port, for: "/offer") { $0 == last }
                // The same contents as before: the settings are good again, although none of them changes.
                try child.write(Self.settings(version), to: "config.toml")
                try await Self.wait(port, for: "/health") { $0.hasSuffix("settings: ok") }
            }
            #expect(version == 101)
        }
        #expect(load.problems.isEmpty)
        #expect(load.requests > 1000)
        try await order(port)
        // An idle connection does not delay the end.
        let idle = try LoopbackClient(port: port)
        #expect(try await child.terminate() == 0)
        #expect(
            try child.output.split(separator: "\n") == [
                "opened the database", "listening on \(port)", "closed the orders", "closed the database", "stopped",
            ])
        withExtendedLifetime(idle) {}
    }

    /// Orders with and without the token.
    private func order(_ port: Int) async throws {
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
        #expect(responses.map(\.body).suffix(5) == ["101", "101", "2", "1 open", "0 open; settings: ok"])
    }

    @Test("The files of Fixtures/Shop start it in a pod, with service links and an empty profile in the environment")
    func pod() async throws {
        let fixture = URL(filePath: #filePath).appending(path: "../../../../../Fixtures/Shop/config.toml").standardized
        let child = try Self.start(
            [
                "SHOP_DB__PATH": "shop.sqlite", "SHOP_PROFILE": "",
                "SHOP_SERVICE_HOST": "10.0.0.7", "SHOP_SERVICE_PORT": "80", "SHOP_PORT": "tcp://10.0.0.7:80",
                "SHOP_PORT_80_TCP": "tcp://10.0.0.7:80", "SHOP_PORT_80_TCP_PROTO": "tcp",
                "SHOP_PORT_80_TCP_PORT": "80", "SHOP_PORT_80_TCP_ADDR": "10.0.0.7",
            ], settings: try String(contentsOf: fixture, encoding: .utf8))
        let port = try await Self.port(of: child)
        #expect(try await onThread { try LoopbackClient(port: port).get("/offer").body } == "250 25")
        #expect(try await child.terminate() == 0)
    }

    @Test("A client with open connections is shut down at the end")
    func courier() async throws {
        // The other shop has no such route, but it answers.
        let other = try Self.start()
        let url = "http://127.0.0.1:\(try await Self.port(of: other))/announcements"
        let child = try Self.start(["SHOP_COURIER__URL": url])
        let port = try await Self.port(of: child)
        let response = try await onThread {
            try LoopbackClient(port: port).send("POST", "/orders/tea", headers: ["Authorization": "Bearer open sesame"])
        }
        #expect(response.status == 200)
        #expect(try await child.terminate() == 0)
        #expect(try await other.terminate() == 0)
    }

    @Test("A database that cannot be opened stops the start with status 69, and everything else is closed")
    func unavailable() async throws {
        let child = try Self.start(["SHOP_DB__PATH": "/none/shop.sqlite"])
        #expect(try await child.exitStatus == 69)
        #expect(try child.output == "")
        #expect(try child.errors.contains("the factory of Database threw"))
    }

    @Test("Wrong settings stop the start with status 78 and all problems")
    func refused() async throws {
        let child = try Self.start(
            ["SHOP_OFER_DISCOUNT": "1"], settings: "[offer]\nprice = 0\n[server]\nprot = 80\n")
        #expect(try await child.exitStatus == 78)
        #expect(try child.output == "")
        let errors = try child.errors
        for problem in [
            "'offer.price' is the integer 0; expected a price from 1 to 100000 in cents",
            "'server.prot' is not a key that is read", "Did you mean 'offer.discount'?",
        ] {
            #expect(errors.contains(problem))
        }
    }
}
