import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Flat names: dots, empty keys and limits")
struct FlatNameTests {
    private struct Literals: PropertyLoader {
        let layer: PropertyLayer
        func load() -> PropertyLayer { layer }
    }

    private func store(_ layer: PropertyLayer) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(Literals(layer: layer))
        return store
    }

    /// Returns the paths of all leaves in a table, with slashes between the keys.
    private func paths(_ table: PropertyTable, at path: String? = nil) -> [String] {
        table.flatMap { entry -> [String] in
            let path = path.map { "\($0)/\(entry.key)" } ?? entry.key
            guard case .table(let inner) = entry.node.value, !inner.isEmpty else { return [path] }
            return paths(inner, at: path)
        }.sorted()
    }

    // MARK: - Dots

    @Test("The keys of a literal are split at their dots on every level, and an empty part is an empty key")
    func literals() throws {
        let store = try store(["api.timeout": 30, "api": ["url.host": "h", "": 1], "a..b": 2, ".x": 3, "t.u": [:]])
        #expect(paths(store.root) == ["/x", "a//b", "api/", "api/timeout", "api/url/host", "t/u"])
        #expect(store.property("api.url") == ["host": "h"])
    }

    @Test(
        "Only a dot in a key of the first level separates levels in JSON, in TOML and in the table of a custom loader")
    func keptDots() throws {
        let store = PropertyStore()
        try store.apply([
            Literal(["hosts": ["db.internal": 1]]), JsonPropertyLoader(string: #"{"a": {"b.c": 1}}"#, name: "a.json"),
            TomlPropertyLoader(string: "\"d.e\" = 1", name: "d.toml"),
        ])
        #expect(paths(store.root) == ["a/b.c", "d/e", "hosts/db.internal"])
    }

    @Test("Two keys with the same path are an error when the source is applied")
    func conflicts() throws {
        let error = loadError { _ = try store(["a.b": 1, "a": ["b": 2]]) }
        #expect(
            error?.description
                == "Literals: 'a.b' is set twice (the other is Literals). Leave one of them out.")
        let reflected = loadError {
            try StructPropertyLoader(Conflicting(), name: "fixture").load()
        }
        #expect(
            reflected?.description
                == "fixture a.b: 'a.b' is set twice (the other is fixture a.b). Leave one of them out.")
        #expect(paths(try store(["a": 1, "a": 2, "b.c": 3, "b.c": 4]).root) == ["a", "b/c"])
    }

    @Test("A dictionary key with very many dots is rejected")
    func manyDots() {
        let key = String(repeating: ".", count: 100_000)
        let error = loadError { try StructPropertyLoader([key: 1]).load() }
        #expect(error?.reason == .limit)
    }

    private struct Conflicting: Sendable, CustomReflectable {
        var customMirror: Mirror { Mirror(self, children: ["a.b": 1, "a": ["b": 2]]) }
    }

    // MARK: - The root and the empty key

    @Test("The empty name refers to the empty key, and nil to all properties")
    func emptyKey() throws {
        struct Inner: Decodable, Equatable { let x: Int }
        struct All: Decodable { let server: [String: Int] }
        let store = try PropertyStore(Literal(["server": ["port": 1], "": ["x": 2]]))
        #expect(try store.bind(All.self).server == ["port": 1])
        #expect(try store.bind(Inner.self, at: "") == Inner(x: 2))
        #expect(try store.json()?.contains("\"port\": 1") == true)
        #expect(try store.json(at: "")?.contains("port") == false)
        #expect(store.changes().current.map(\.name) == [".x", "server.port"])
        #expect(store.changes(under: "").current.map(\.name) == [".x"])
        #expect(try store.require(".x") == 2)
        let none = try PropertyStore(Literal(["a": 1]))
        #expect(try none.json(at: "") == nil)
        let missing = #expect(throws: ConfigurationErrors.self) { try none.bind(Inner.self, at: "") }
        #expect(missing?.lines == "'' is missing; expected a table for Inner. Set it in literal.")
    }

    @Test("An error about the empty key has its name, and an error about all properties names the root")
    func rootErrors() throws {
        let store = try PropertyStore(Literal(["": ["x": "text"], "n": 1]))
        let inner = #expect(throws: ConfigurationErrors.self) { try store.bind([String: Int].self, at: "") }
        #expect(inner?.found.map(\.name) == [".x"])
        let all = #expect(throws: ConfigurationErrors.self) { try store.bind([Int].self) }
        #expect(all?.lines.contains("the root is a table of 2 keys") == true, "\(String(describing: all))")
        #expect(all?.found.map(\.name) == [""])
    }

    @Test("A key with a dot is explained by the name that a declaration gives it in a source with relaxed names")
    func relaxedDots() throws {
        let store = PropertyStore()
        store.declare(TypedKey<[String: Int]?>("API"))
        let inner = PropertyTable([("b", 1), ("b.c", 2)])
        try store.apply(Literals(layer: PropertyLayer(PropertyTable([("api", .table(inner))]), spelling: .relaxed)))
        #expect(store.property("API.b.c") == 2)
        #expect(store.history(of: "API.b.c").map(\.valueText) == ["2"])
    }

    // MARK: - The longest name

    @Test("A flat name has at most 8 KB")
    func longest() throws {
        let part = String(repeating: "k", count: 4095)
        let text = { (last: Int) in "{\"\(part)\": {\n \"\(String(repeating: "n", count: last))\": 1}}" }
        try PropertyStore().apply(JsonPropertyLoader(string: text(4096), name: "a.json"))
        let tooLong = JsonPropertyLoader(string: text(4097), name: "a.json")
        let error = loadError { try PropertyStore().apply(tooLong) }
        #expect(
            error?.description == """
                a.json:2:2: this key's flat name has 8193 bytes; expected at most 8192. Shorten the keys that it is in.
                """)
    }

    @Test("The flat names of a source have at most 256 bytes on average, or 1 MB in total")
    func sum() throws {
        let key = String(repeating: "k", count: 8000)
        let entries = (0..<10_000).map { "\"\($0)\": 1" }.joined(separator: ",")
        let loader = JsonPropertyLoader(string: "{\"\(key)\": {\(entries)}}", name: "a.json")
        let error = loadError { try PropertyStore().apply(loader) }
        #expect(
            error?.description == """
                a.json: the flat names of 10,001 keys have 80,056,890 bytes in sum; expected at most 2,560,256. Shorten the \
                keys that hold many others.
                """)
        // 100 names of 8 KB are within 1 MB.
        let few = (0..<100).map { "\"\($0)\": 1" }.joined(separator: ",")
        try PropertyStore().apply(JsonPropertyLoader(string: "{\"\(key)\": {\(few)}}", name: "a.json"))
    }
}
