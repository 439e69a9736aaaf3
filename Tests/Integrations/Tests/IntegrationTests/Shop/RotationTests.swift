import Foundation
import Testing

@Suite("The shop, whose database gets new passwords", .timeLimit(.minutes(60)))
struct RotationTests {
    private static let settings = "[offer]\nprice = 250\n"
    /// Rotations until the former pools must be closed and their passwords are refused.
    private static let batch = 10
    /// The batches after which the memory is measured.
    private static let (warm, last) = ProcessInfo.processInfo.environment["LONG"] == nil ? (1, 1) : (2, 20)

    @Test("A new password fails no request, and the former connections end after the drain, without growing memory")
    func rotation() async throws {
        let running = try await RunningShop(settings: Self.settings)
        var memory: [Int] = []
        let load = try await Load.run(running.port, "/orders", isGood: { $0 == "0" }) { load in
            for batch in 0..<Self.last {
                try await rotate(running, from: 1 + batch * Self.batch)
                let requests = load.requests
                #expect(load.problems.isEmpty)
                memory.append(try running.shop.residentMemory)
                // The load goes on with the last password alone.
                while load.requests < requests + 100 && load.problems.isEmpty {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
        }
        #expect(load.problems.isEmpty)
        let (early, late) = (memory[Self.warm - 1], memory[Self.last - 1])
        print("\(Self.last * Self.batch) rotations, \(load.requests) requests, \(early) → \(late) KB")
        #expect(late * 10 <= early * 11, "\(memory)")
        #expect(try await running.shop.terminate() == 0)
        try await running.waitForConnections { $0.isEmpty }
    }

    /// Rotates the password several times, and waits until only the connections of the last one are left.
    private func rotate(_ running: RunningShop, from first: Int) async throws {
        let last = first + Self.batch
        for number in first + 1...last {
            try await running.setPassword("password-\(number)", isAccepted: true)
            try running.mount("password-\(number)\n", version: number - 1)
            try await running.shop.waitForOutput("connected again: new db.password\n", times: number - 1)
        }
        try await running.shop.waitForOutput("connections closed\n", times: last - 1)
        for number in first..<last { try await running.setPassword("password-\(number)", isAccepted: false) }
        try await running.waitForConnections { $0.hasPrefix("password-\(last): ") && !$0.contains("\n") }
    }

    @Test("The article shows what a good and a wrong password print; the wrong one ends no connection")
    func transcript() async throws {
        let settings = try String(contentsOf: RunningShop.folder.appending(path: "config.toml"), encoding: .utf8)
        let running = try await RunningShop(settings: settings)
        let load = try await Load.run(running.port, "/orders", isGood: { $0 == "0" }) { _ in
            try await running.setPassword("password-2", isAccepted: true)
            try running.shop.write("password-2\n", to: "secrets/db.password")
            try await running.shop.waitForOutput("connections closed\n")
            try await running.setPassword("password-1", isAccepted: false)
            try running.shop.write("password-3\n", to: "secrets/db.password")
            try await running.wait(for: "/health") { $0.hasSuffix("settings: Database is outdated") }
        }
        #expect(load.problems.isEmpty && load.requests > 0)
        // Nothing needs to be built for the return to the former password.
        try running.shop.write("password-2\n", to: "secrets/db.password")
        try await running.wait(for: "/health") { $0.hasSuffix("settings: ok") }
        try running.shop.write(settings.replacing("price = 250", with: "price = 0"), to: "config.toml")
        try await running.wait(for: "/health") { $0.contains("price") }
        #expect(try await running.shop.terminate() == 0)

        let printed = try "\(running.shop.output)\(running.shop.errors)"
            .replacing(#/ in \d+\.\d+ s\b/#, with: " in 0.02 s")
            .replacing(#/127\.0\.0\.1:\d+: it/#, with: "127.0.0.1:8090: it").split(separator: "\n")
        let shown = try Self.output(in: "Sources/ServiceHost/ServiceHost.docc/Shop.md")
        #expect(shown.count == 8)
        for line in shown { #expect(printed.contains(line), "\(line) is not one of \(printed)") }
        #expect(!printed.contains { $0.contains("password-") })
    }

    /// Returns the lines of output that a document shows.
    private static func output(in document: String) throws -> [Substring] {
        let text = try String(contentsOf: RunningShop.folder.appending(path: "../../\(document)"), encoding: .utf8)
        let blocks = text.matches(of: /```text\n([^`]*)```/).map(\.1)
        return blocks.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("$ ") }
    }
}
