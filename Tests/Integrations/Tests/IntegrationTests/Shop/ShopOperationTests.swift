import Foundation
import Testing

@Suite("The shop under load, with everything that operators do", .timeLimit(.minutes(60)))
struct ShopOperationTests {
    private static let duration: Duration =
        ProcessInfo.processInfo.environment["LONG"] == nil ? .seconds(5) : .seconds(60)
    private static let broken = "[offer]\nprice = \"8\"\n"
    private static let refusal =
        #"not reloaded: config.toml:2:9: 'offer.price' is the string "8"; expected a price in cents from 1 to 100000."#
        + " Remove the quotes."

    private static func settings(_ version: Int) -> String {
        "[offer]\nprice = \(version * 2)\ndiscount = \(version)\n"
    }

    @Test("Rotations, refused files and SIGHUP fail no request, and every line of the service is an expected one")
    func operations() async throws {
        let running = try await RunningShop(settings: Self.settings(1)), shop = running.shop
        var output = ["listening on \(running.port)"], errors = ["started in 0.02 s: 1 service"]
        let load = try await Load.run(running.port, "/orders", isGood: { $0 == "0" }) { load in
            let end = ContinuousClock.now + Self.duration
            var version = 1
            repeat {
                version += 1
                try await running.setPassword("password-\(version)", isAccepted: true)
                try shop.write("password-\(version)\n", to: "secrets/db.password")
                try await shop.waitForOutput("connected again: new db.password\n", times: version - 1)
                try shop.write(Self.broken, to: "config.toml")
                try await shop.waitForErrors(Self.refusal, times: version - 1)
                try shop.write(Self.settings(version), to: "config.toml")
                let price = "offer.price: \(version * 2 - 2) (config.toml:2:9) → \(version * 2) (config.toml:2:9)"
                try await shop.waitForOutput(price + "\n")
                shop.send(SIGHUP)
                try await shop.waitForErrors("reloaded: nothing has changed\n", times: version - 1)
                output += [
                    "db.password: ******** (secrets/db.password) → ******** (secrets/db.password)",
                    "connected again: new db.password",
                    "offer.discount: \(version - 1) (config.toml:3:12) → \(version) (config.toml:3:12)", price,
                    "connections closed",
                ]
                errors += [
                    "Database was replaced in 0.02 s: db.password", Self.refusal,
                    "reloaded: the settings are valid again", "reloaded: nothing has changed",
                ]
            } while .now < end && load.problems.isEmpty
        }
        #expect(load.problems.isEmpty)
        #expect(try await shop.terminate() == 0)
        print("\(errors.count / 2) rounds, \(load.requests) requests, \(load.problems.count) failed")
        for (text, expected) in [
            (try shop.output, output + ["connections closed"]),
            (
                try shop.errors,
                errors + ["stopping: SIGTERM; another signal after a second ends the process at once"]
            ),
        ] {
            #expect(Array(Self.lines(text).difference(from: expected.sorted())) == [])
        }
    }

    /// Returns the lines that `run` and the shop have written, with equal times, and without the lines of swift-log, which
    /// begin with a date. The drain times of the last former instances are not over at the end.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0).replacing(#/ in \d+\.\d+ s\b/#, with: " in 0.02 s") }
            .filter { $0.firstMatch(of: /^\d{4}-\d\d-/) == nil && $0 != "the former Database is closed" }.sorted()
    }
}
