import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Sources that must be awaited")
struct AwaitedSourceTests {
    private let store = PropertyStore()

    /// A loader of a user, which has no name and cannot tell changes.
    private struct Plain: AsyncPropertyLoader {
        let error: (any Error)?
        func load() async throws -> PropertyLayer {
            if let error { throw error }
            return ["plain": true]
        }
    }

    private func errors(_ loaders: PropertySources, timeout: Duration = .seconds(600)) async -> String {
        do throws(ConfigurationErrors) {
            try await store.apply(awaiting: loaders, timeout: timeout)
            return "applied"
        } catch {
            return "\(error)"
        }
    }

    @Test("They are merged with synchronous ones in one order of precedence, with the origin of each value")
    func order() async throws {
        try await store.apply(
            awaiting: [
                Literal("first", ["x": 1, "y": 1, "z": 1]), Remote("etcd", ["y": 2, "z": 2]), Plain(error: nil),
                Literal("last", ["z": 3]),
            ], timeout: .seconds(600))
        #expect(
            store.entriesText == """
                plain = true (Plain)
                x = 1 (first)
                y = 2 (etcd /y revision 2)
                z = 3 (last)
                """)
    }

    @Test("They are loaded concurrently")
    func concurrently() async throws {
        let first = Door(), second = Door()
        try await store.apply(
            awaiting: [
                Remote("first", ["x": 1]) {
                    first.open()
                    await second.pass()
                },
                Remote("second", ["y": 2]) {
                    second.open()
                    await first.pass()
                },
            ], timeout: .seconds(600))
        #expect(store.listing == ["x=1", "y=2"])
    }

    @Test("If some cannot be loaded, nothing is applied, and one report has all failures")
    func failures() async throws {
        let changing = Changing("file"), away = Remote("etcd")
        changing.set(nil)
        away.setAway(true)
        let known = PropertyLoadError(
            .unavailable, "sealed", at: PropertyOrigin(source: PropertySource(name: "vault")))
        let report = await errors([Literal(["x": 1]), away, changing, Plain(error: known), Remote("good", ["y": 1])])
        #expect(
            report == """
                The configuration has 3 problems:
                  Changing  Broken()
                  Remote    connection refused
                  vault     sealed
                """)
        #expect(store.listing == [])
    }

    @Test("A load that takes too long fails with the time limit, even if it ignores its cancellation")
    func timeout() async throws {
        let door = Door()
        defer { door.open() }
        let slow = Remote("etcd") { await door.pass() }
        let error = await #expect(throws: ConfigurationErrors.self) {
            try await store.apply(awaiting: [slow, Literal(["x": 1])], timeout: .zero)
        }
        #expect(
            error.map { "\($0)" } == """
                Remote: the source was not loaded within 0.0 seconds. Check that it can be reached, or allow more time.
                """)
        #expect(error?.exitStatus == 69)
        #expect(store.listing == [])
    }

    @Test("A cancelled application ends at once, and nothing is applied")
    func cancelled() async throws {
        let door = Door(), begun = Door()
        defer { door.open() }
        let slow = Remote("etcd", ["x": 1]) {
            begun.open()
            await door.pass()
        }
        let task = Task { await errors([slow]) }
        await begun.pass()
        task.cancel()
        #expect(await task.value == "Remote: CancellationError()")
        #expect(store.listing == [])
    }

    @Test("Their values are checked, and no time limit overflows")
    func checks() async throws {
        store.declare(TypedKey<Int>("port"))
        let report = await errors([Literal(["port": 1]), Remote("etcd", ["port": "x"])], timeout: .seconds(Int64.max))
        #expect(report.hasPrefix("etcd /port revision 2: 'port' is the string \"x\""), "\(report)")
        #expect(store.listing == [])
    }

    @Test("A synchronous reload keeps their last layer, and an application of the same source replaces it")
    func reload() async throws {
        let remote = Remote("etcd", ["x": 1]), changing = Changing("file", ["y": 1])
        try await store.apply(awaiting: [remote, changing], timeout: .seconds(600))
        remote.set(["x": 2])
        changing.set(["y": 2])
        try store.reload()
        #expect(store.listing == ["x=1", "y=2"])
        #expect(remote.loads == 1)
        try await store.apply(awaiting: [remote], timeout: .seconds(600))
        #expect(store.listing == ["x=2", "y=2"])
    }

    private struct Database: Settings {
        @Setting(isSecret: true) var password: String
        @Setting(isSecret: true) var login = ""
        @Setting var url: String
        @Setting var name = "orders"
    }

    /// The report of a check without secrets.
    private func report(withoutSecrets text: String) async -> String {
        let store = PropertyStore()
        store.replacePlaceholders()
        store.declare(Database.self, at: "db")
        do throws(ConfigurationErrors) {
            let loader = TomlPropertyLoader(string: "[db]\n\(text)", name: "c.toml")
            try await store.start(awaiting: [loader], withoutSecrets: true, timeout: .seconds(600))
            return "valid"
        } catch {
            return "\(error)"
        }
    }

    @Test("A check without secrets accepts placeholders that refer to a missing secret, and no others")
    func placeholders() async {
        let url = "url = \"db://${db.password}@host\"\n"
        #expect(
            await report(withoutSecrets: url + "name = \"${db.url}/orders\"\nlogin = \"${db.password}\"") == "valid")
        #expect(
            await report(withoutSecrets: url + "name = \"${db.passwort}\"") == """
                c.toml:3:8: '${db.passwort}' in 'db.name' leads to no property. Set the property, or write a default: ${db.passwort:-…}.
                """)
        #expect(
            await report(withoutSecrets: url + "name = \"${db.table}${db.password}\"") == """
                c.toml:3:8: '${db.table}' in 'db.name' leads to no property. Set the property, or write a default: \
                ${db.table:-…}.
                """)
        #expect(await report(withoutSecrets: "name = \"${db.password}\"").hasPrefix("'db.url' is missing;"))
    }

    @Test("The report of a check without secrets shows no line with another secret")
    func lines() async {
        let store = PropertyStore()
        store.replacePlaceholders()
        store.declare(Database.self, at: "db")
        let text = #"db = { login = "${vault.login}", password = "hunter2", url = "u", name = "${none}" }"#
        let error = await #expect(throws: ConfigurationErrors.self) {
            try await store.start(
                awaiting: [TomlPropertyLoader(string: text, name: "c.toml")], withoutSecrets: true,
                timeout: .seconds(600))
        }
        let failure = error?.problems.first?.error as? PropertyLoadError
        #expect(failure?.description.contains("'${none}' in 'db.name' leads to no property") == true)
        #expect(failure?.longDescription.contains("hunter2") == false)
    }

    /// An error whose description uses the store.
    private struct Curious: Error, CustomStringConvertible {
        let store: PropertyStore
        var description: String { "\(store.status.sources.count) sources" }
    }

    /// A source that can be loaded once.
    private final class Once: AsyncPropertyLoader {
        private let store: PropertyStore
        private let isLoaded = Atomic(false)
        init(_ store: PropertyStore) { self.store = store }
        func load() async throws -> PropertyLayer {
            if isLoaded.exchange(true, ordering: .relaxed) { throw Curious(store: store) }
            return ["a": 1]
        }
    }

    @Test("No lock is held while the description of an error of a loader runs")
    func description() async throws {
        try await store.apply(awaiting: [Once(store)], timeout: .seconds(600))
        let source = try #require(store.awaitedSources.first)
        await #expect(throws: Curious.self) { try await source.base.load() }
        let (_, failures) = try await store.reloadAll()
        #expect(failures.map(\.description) == ["Once: 1 sources"])
        #expect(store.status.sources.first?.failure?.error.description == "Once: 1 sources")
    }
}
