import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Changes inside arrays of tables, and of tables that become empty")
struct InnerChangesTests {
    private struct Upstream: Settings {
        @Setting var url: String
        @Setting var weight = 1
        @Setting(isSecret: true) var key: String?
        @Setting var tags: [String] = []
    }
    private struct Cache: Settings { @Setting var size = 10 }
    private struct Gateway: Settings {
        @Setting var upstreams: [Upstream] = []
        @Setting var pools: [String: [Upstream]] = [:]
        var cache: Cache?
    }

    private func changes(_ before: String, _ after: String) throws -> [String] {
        let store = PropertyStore(), file = ChangingDocument(before)
        store.declare(Gateway.self)
        try store.start([file])
        let former = store.snapshot
        file.set(after)
        try store.reload()
        return store.snapshot.changes(since: former).map(\.description)
    }

    private static let long = String(repeating: "abcdefghij", count: 7)

    private static let cases: [(before: String, after: String, lines: [String])] = [
        (
            #"{"upstreams": [{"url": "a"}, {"url": "b", "weight": 3}]}"#,
            #"{"upstreams": [{"url": "a"}, {"url": "b", "weight": 4}]}"#,
            ["upstreams[1].weight: 3 (c.json:1:53) → 4 (c.json:1:53)"]
        ),
        (
            #"{"upstreams": [{"url": "a", "weight": 3}]}"#, #"{"upstreams": [{"url": "a"}, {"url": "b"}]}"#,
            [
                "upstreams[0].weight: 3 (c.json:1:39) → 1 (default)",
                #"upstreams[1].url: none → "b" (c.json:1:38)"#,
            ]
        ),
        (
            #"{"upstreams": [{"url": "a"}, {"url": "b"}]}"#, #"{"upstreams": [{"url": "a"}]}"#,
            [#"upstreams[1].url: "b" (c.json:1:38) → none"#]
        ),
        (#"{"upstreams": [{"url": "a"}]}"#, #"{"upstreams": []}"#, [#"upstreams[0].url: "a" (c.json:1:24) → none"#]),
        (
            #"{"upstreams": [{"url": "a", "key": "x"}]}"#, #"{"upstreams": [{"url": "a", "key": "y"}]}"#,
            ["upstreams[0].key: ******** (c.json:1:36) → ******** (c.json:1:36)"]
        ),
        (
            #"{"pools": {"p": [{"url": "a", "tags": ["x"]}]}}"#, #"{"pools": {"p": [{"url": "a", "tags": ["y"]}]}}"#,
            [#"pools.p[0].tags: ["x"] (c.json:1:39) → ["y"] (c.json:1:39)"#]
        ),
        // Beyond what a message shows of a value.
        (
            #"{"upstreams": [{"url": "a", "tags": ["a", "b", "c", "d", "e", "f", "g", "h", "i"]}]}"#,
            #"{"upstreams": [{"url": "a", "tags": ["a", "b", "c", "d", "e", "f", "g", "h", "j"]}]}"#,
            [
                #"upstreams[0].tags: …e", "f", "g", "h", "i"] (c.json:1:37) → …e", "f", "g", "h", "j"] (c.json:1:37)"#
            ]
        ),
        (
            #"{"upstreams": [{"url": "\#(long)x"}]}"#, #"{"upstreams": [{"url": "\#(long)yz"}]}"#,
            [
                "upstreams[0].url: …\(long.suffix(20))x\" (c.json:1:24) → …\(long.suffix(20))yz\" (c.json:1:24)"
            ]
        ),
        (#"{"cache": {"size": 5}}"#, #"{"cache": {}}"#, ["cache.size: 5 (c.json:1:20) → 10 (default)"]),
        (#"{"cache": {}}"#, #"{"cache": {"size": 5}}"#, ["cache.size: 10 (default) → 5 (c.json:1:20)"]),
        (#"{"cache": {}}"#, "{}", ["cache: {} (c.json:1:11) → none"]),
        ("{}", #"{"cache": {}}"#, ["cache: none → {} (c.json:1:11)"]),
    ]

    @Test("Each value is a change of its own, with its place", arguments: cases.indices)
    func lines(index: Int) throws {
        let (before, after, lines) = Self.cases[index]
        #expect(try changes(before, after) == lines)
    }

    @Test("JSON in a text is compared by its elements, too, and is masked as a whole if it may have a secret")
    func text() throws {
        let store = PropertyStore(), source = ChangingText("env", "")
        store.declare(Gateway.self)
        source.set(#"upstreams = ~[{"url": "a"}, {"url": "b"}]"#)
        try store.start([source])
        let former = store.snapshot
        source.set(#"upstreams = ~[{"url": "a"}, {"url": "c"}]"#)
        try store.reload()
        #expect(
            store.snapshot.changes(since: former).map(\.description)
                == ["upstreams[1].url: ******** (env:1:13) → ******** (env:1:13)"])
    }

    @Test("A number that a placeholder inserts as another text is a change, since it may be read as a string")
    func insertedText() throws {
        let store = PropertyStore()
        store.replacePlaceholders(.properties)
        func lines(_ before: String, _ after: String) throws -> [String] {
            try store.apply(TomlPropertyLoader(string: before, name: "c.toml"))
            let former = store.snapshot
            try store.apply(TomlPropertyLoader(string: after, name: "c.toml"))
            return store.snapshot.changes(since: former).map(\.description)
        }
        let use = "\nversion = '${v}'\nlist = ['${v}']\ntext = 'v${v}'"
        #expect(
            try lines("v = 1.10" + use, "v = 1.1" + use) == [
                "list: [1.1] (c.toml:3:8) → [1.1] (c.toml:3:8)", #"text: "v1.10" (c.toml:4:8) → "v1.1" (c.toml:4:8)"#,
                "version: 1.10 (c.toml:2:11) → 1.1 (c.toml:2:11)",
            ])
        #expect(store.property("version") == "1.1" && store.property("list") == ["1.1"])
        // Nobody can read another text.
        #expect(try lines("v = 1.10", "v = 1.1") == [])
        #expect(try lines("v = 1.1\nw = '${v}'", "v = 1.1\nw = 1.1") == [])
    }
}

/// A JSON file that a test can change.
private final class ChangingDocument: PropertyLoader {
    private let text: ChangingText

    init(_ json: String) { text = ChangingText("c.json", json) }

    func set(_ json: String) { text.set(json) }

    func load() throws -> PropertyLayer {
        var layer = try JsonPropertyLoader(string: text.current, name: "c.json").load()
        layer.source = layer.source.map { PropertySource(name: $0.name, identity: $0.name) }
        return layer
    }
}
