import Properties
import TestSupport
import Testing

@Suite("A start that fails takes its sources back, and leaves what others have changed meanwhile")
struct SourceTrialTests {
    private struct Failure: Error {}

    private func names(_ store: PropertyStore) -> [String] {
        store.status.sources.map { $0.name.begins(with: "set at") ? "set" : $0.name }
    }

    @Test("The sources that were replaced are restored, in the former order")
    func restored() throws {
        let store = PropertyStore()
        try store.set("a", to: 1)
        for name in ["one", "two"] { try store.apply(Named(name, ["b": .string(name)])) }
        let trial = try store.beginTrial([Named("one", ["b": "new"]), Named("three", ["c": 1])], .ignored)
        #expect(names(store) == ["two", "one", "three", "set"])
        #expect(store.property("b") == "new")
        #expect(throws: ConfigurationErrors.self) { try trial.end(failures: [Failure()]) }
        #expect(names(store) == ["one", "two", "set"])
        #expect(store.listing == ["a=1", "b=\"two\""])
    }

    @Test("Values that are set or removed during the start stay as they are")
    func setMeanwhile() throws {
        let store = PropertyStore()
        try store.set(["a": 1, "b": 1])
        let trial = try store.beginTrial([Named("one", ["d": 1])], .ignored)
        try store.set(["a": 2, "c": 2])
        try store.unset("b")
        #expect(throws: ConfigurationErrors.self) { try trial.end(failures: [Failure()]) }
        #expect(store.listing == ["a=2", "c=2"])
        #expect(names(store) == ["set", "set"])
    }

    @Test("A value that was set stays the last one, also after a source that was applied during the start")
    func setBefore() throws {
        let store = PropertyStore()
        try store.set("a", to: 1)
        let trial = try store.beginTrial([Named("one", ["b": 1])], .ignored)
        try store.apply(Named("two", ["a": 2]))
        #expect(store.property("a") == 1)
        #expect(throws: ConfigurationErrors.self) { try trial.end(failures: [Failure()]) }
        #expect(names(store) == ["two", "set"])
        #expect(store.listing == ["a=1"])
    }

    @Test("A source that is applied again during the start stays in its last form")
    func appliedMeanwhile() throws {
        let store = PropertyStore()
        try store.apply(Named("one", ["a": 1]))
        let trial = try store.beginTrial([Named("one", ["a": 2])], .ignored)
        try store.apply(Named("one", ["a": 3]))
        #expect(throws: ConfigurationErrors.self) { try trial.end(failures: [Failure()]) }
        #expect(store.listing == ["a=3"])
        #expect(names(store) == ["one"])
    }

    @Test("A value that is kept until a restart stays so")
    func kept() throws {
        let store = PropertyStore(), file = Changing("a", ["server.port": 1])
        store.declare(BootSettings.self, at: "server")
        try store.start([file])
        file.set(["server.port": 2])
        try store.reload()
        let trial = try store.beginTrial([Named("one", ["server.timeout": 1])], .ignored)
        #expect(throws: ConfigurationErrors.self) { try trial.end(failures: [Failure()]) }
        #expect(store.property("server.port") == 1)
        #expect(store.status.pendingRestart.map(\.name) == ["server.port"])
    }

    /// A source with an identity.
    private struct Named: PropertyLoader {
        let name: String
        let table: PropertyTable

        init(_ name: String, _ pairs: KeyValuePairs<String, PropertyValue>) {
            (self.name, table) = (name, PropertyTable(pairs.map { ($0.key, $0.value) }))
        }

        func load() -> PropertyLayer { PropertyLayer(table, source: PropertySource(name: name, identity: name)) }
    }
}
