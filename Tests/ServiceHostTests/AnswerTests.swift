import ServiceHost
import Testing

@Suite("Answers about settings that are wrong")
struct AnswerTests {
    private struct Server: Settings {
        @Setting(in: 1...65535) var port = 8080
        @Setting var timeout = 30
    }

    private struct Unavailable: PropertyLoader {
        struct Failure: Error {}
        func load() throws -> PropertyLayer { throw Failure() }
    }

    private func store(declares: Bool = true) -> PropertyStore {
        let store = PropertyStore()
        if declares { store.declare(Server.self, at: "server") }
        return store
    }

    private let source = TomlPropertyLoader(
        string: "list = [1]\n[databse]\npassword = \"hunter2\"\n[server]\nport = \"x\"", name: "one.toml")

    @Test("The sources that can be loaded are published, and unknown values are masked")
    func published() async throws {
        let store = store()
        let report = try #require(await store.startWithProblems(awaiting: [source, Unavailable()]))
        #expect(report.problems.count == 2)
        #expect(
            store.entries.map(\.description) == [
                "databse.password = ******** (one.toml:3:12)", "list = ******** (one.toml:1:8)",
                "server.port = \"x\" (one.toml:5:8)",
            ])
        #expect(try store.explain("server.port").rule == "an integer from 1 to 65535")
        #expect(try store.explain("databse.password").rule == nil)
    }

    @Test("Unknown values are shown if they are accepted")
    func accepted() async throws {
        let store = store()
        #expect(await store.startWithProblems(awaiting: [source], unknownKeys: .ignored)?.problems.count == 1)
        #expect(store.entries.first?.valueText == "\"hunter2\"")
        #expect(await self.store(declares: false).startWithProblems(awaiting: [source]) == nil)
    }

    @Test("A name with two paths, and a placeholder without a value, are shown as far as they can be")
    func contradictions() async throws {
        let store = store()
        store.replacePlaceholders()
        let one = TomlPropertyLoader(
            string: "server.timeout = \"${nowhere}\"\n\"hosts.a\" = 1", name: "one.toml")
        let two = JsonPropertyLoader(string: #"{"hosts": {"a": 2}, "hosts.a": 3}"#, name: "two.json")
        #expect(await store.startWithProblems(awaiting: [one, two]) != nil)
        // A value that cannot be made is no value, at the place of its text.
        let explained = try #require(store.explain("server.timeout").value)
        #expect(explained.description == "server.timeout = null (one.toml:1:18)", "\(explained)")
        #expect(try store.explain("server.port").value?.valueText == "8080")
    }
}
