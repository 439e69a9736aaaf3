import Container
import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Values that a later source removes")
struct RemovedValueTests {
    private func store(_ later: String, merge: MergeRule = .firstLevel) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: #"{"api": {"timeout": 30, "retries": 3}}"#, name: "a.json"))
        try store.apply(JsonPropertyLoader(string: later, name: "b.json").merge(merge))
        return store
    }

    private func missing(_ name: String, in store: PropertyStore) -> String? {
        #expect(throws: PropertyError.self) { _ = try store.require(name, as: Int.self) }?.description
    }

    @Test(
        "If a table is replaced, the error about a removed value shows where, and explain shows its history")
    func replaced() throws {
        let store = try store(#"{"api": {"timeout": 5}}"#)
        let text = """
            b.json:1:9: 'api.retries' is missing, since 'api' is replaced here (it was 3 at a.json:1:36); expected an \
            integer. Set it here too.
            """
        #expect(missing("api.retries", in: store) == text)
        let error = #expect(throws: PropertyError.self) { _ = try store.require("api.retries", as: Int.self) }
        #expect(error?.origin?.description == "b.json:1:9")
        #expect(error?.overrode.map(\.valueText) == ["3"])
        #expect(
            store.history(of: "api.retries").map(\.description) == [
                "api = {1 key} (b.json:1:9)", "api.retries = 3 (a.json:1:36)",
            ])
        struct API: Decodable { let timeout: Int, retries: Int }
        let bound = #expect(throws: ConfigurationErrors.self) { try store.bind(API.self, at: "api") }
        #expect(bound?.lines == text)
        try store.apply(Literal("c", ["api": ["retries": 4]]))
        #expect(store.history(of: "api.retries").map(\.valueText) == ["4", "3"])
    }

    @Test("A name keeps its history when a later source writes it with other levels")
    func otherLevels() throws {
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: #"{"hosts": {"db.internal": 1}}"#, name: "a.json"))
        try store.apply(JsonPropertyLoader(string: #"{"hosts": {"db": {"internal": 2}}}"#, name: "b.json"))
        #expect(
            store.history(of: "hosts.db.internal").map(\.description) == [
                "hosts.db.internal = 2 (b.json:1:31)", "hosts.db.internal = 1 (a.json:1:27)",
            ])
    }

    @Test("The error about a value that a null removed has the place of the null")
    func masked() throws {
        let store = try store(#"{"api": null}"#)
        #expect(
            missing("api.retries", in: store)?.hasPrefix("b.json:1:9: 'api.retries' is missing, since 'api' is null")
                == true)
        #expect(store.history(of: "api").map(\.valueText) == ["null", "{2 keys}"])
        #expect(missing("api", in: store)?.hasPrefix("b.json:1:9: 'api' is null; expected an integer") == true)
        #expect(missing("api.retires", in: store)?.hasPrefix("'api.retires' is missing; ") == true)
    }

    @Test("A removed value of a secret source is masked")
    func secret() throws {
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: #"{"db": {"password": "hunter2"}}"#, name: "a.json").secret())
        try store.apply(JsonPropertyLoader(string: #"{"db": {}}"#, name: "b.json"))
        let text = missing("db.password", in: store)
        #expect(text?.contains("(it was ******** at a.json:1:21)") == true, "\(text ?? "")")
    }
}

@Suite("The reads that a start records")
struct WhatIsReadTests {
    private struct Key: Sendable { let name: String }

    /// Returns the unknown keys of a container whose only service reads something.
    private func unknown(_ read: @escaping @Sendable (PropertyStore) throws -> Void) async -> [String] {
        let container = Container()
        container.register(Key.self) { r in
            try read(r.properties)
            return Key(name: "")
        }.inObjectScope(.container)
        do throws(ConfigurationErrors) {
            try await container.start(
                [Literal(["server": ["port": 1], "name": "n", "spare": 1])], unknownKeys: .refused)
            return []
        } catch {
            return error.found.map(\.name).sorted()
        }
    }

    @Test("A property is known if a service reads it, also from a snapshot, watches it, or binds it")
    func known() async {
        struct Server: Decodable { let port: Int }
        struct All: Decodable { let server: Server, name: String }
        #expect(await unknown { _ = $0.property("name") as String? } == ["server.port", "spare"])
        #expect(await unknown { _ = $0.snapshot.property("name") as String? } == ["server.port", "spare"])
        #expect(await unknown { _ = $0.property(TypedKey<Int>("server.port")) } == ["name", "spare"])
        #expect(await unknown { _ = try $0.bind(Server.self, at: "server") } == ["name", "spare"])
        #expect(await unknown { _ = try $0.bind(All.self) } == [])
        #expect(await unknown { _ = $0.changes(of: "server", as: [String: Int].self) } == ["name", "spare"])
        #expect(await unknown { _ = $0.changes(under: "server") } == ["name", "spare"])
        #expect(await unknown { _ = $0.changes() } == [])
    }

    @Test("A read that fails is a problem, although the service goes on with nil, and no unknown key")
    func wrong() async {
        #expect(await unknown { _ = $0.property("name") as Int? } == ["name", "server.port", "spare"])
    }
}

@Suite("Nulls in secret sources")
struct SecretNullTests {
    @Test("A secret null masks only its own name, not the table around it or the values below it")
    func null() async throws {
        let store = try PropertyStore(Literal("open", ["t": ["a": 1, "b": 2], "u": ["c": 3]]))
        try store.apply(Literal("vault", ["t": ["b": nil], "u": nil]).secret())
        #expect(store.listing == ["t.a=1", "t.b=********", "u=********"])
        let error = #expect(throws: PropertyError.self) { _ = try store.require("t", as: Int.self) }
        #expect(error?.isSecret == false)
        let below = #expect(throws: PropertyError.self) { _ = try store.require("u.c", as: Int.self) }
        #expect(below?.description.contains("(it was 3 at open)") == true)
        var changes = store.changes(of: "t", as: [String: Int].self).makeAsyncIterator()
        try store.apply(Literal("open2", ["t": ["a": 5]]))
        #expect(await changes.next()?.description == "t: [\"a\": 1] → [\"a\": 5] (open2)")
    }
}
