import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Settings that need a restart inside arrays, dictionaries and optional tables")
struct KeptInsideTests {
    private struct Peer: Settings {
        @Setting(needsRestart: true) var port = 80
        @Setting var timeout = Duration.seconds(60)
        @Setting(isSecret: true) var key = "dev"
    }
    private struct Node: Settings {
        var peer: Peer?
        @Setting var peers: [Peer] = []
        @Setting var named: [String: Peer] = [:]
        @Setting var size = 1
    }

    private func store(_ json: String) throws -> (PropertyStore, Changing) {
        let store = PropertyStore(), source = Changing("a")
        store.declare(Node.self, at: "node")
        source.set(try JsonPropertyLoader(string: json, name: "a").load().table)
        try store.start([source])
        return (store, source)
    }

    private func pending(_ before: String, _ after: String) throws -> [String] {
        let (store, source) = try store(before)
        source.set(try JsonPropertyLoader(string: after, name: "a").load().table)
        return try store.reload().map(\.name)
    }

    private static let same = [
        (#"{"node": {"peer": {}}}"#, #"{"node": {"peer": {"port": 80}}}"#),
        (#"{"node": {"peer": {"port": 80}}}"#, #"{"node": {"peer": {}}}"#),
        (#"{"node": {"peer": {"key": "dev"}}}"#, #"{"node": {"peer": {"timeout": "1m"}}}"#),
        (
            #"{"node": {"peers": [{}, {"port": 1}]}}"#,
            #"{"node": {"peers": [{"timeout": "60s", "port": null}, {"port": 1}]}}"#
        ),
        (#"{"node": {"named": {"a": {}}}}"#, #"{"node": {"named": {"a": {"key": "dev", "port": 80}, "b": null}}}"#),
        (#"{"node": {}}"#, #"{"node": {"peers": [], "named": {}, "peer": null}}"#),
    ]

    @Test("A default that is written out is not pending", arguments: same.indices)
    func defaults(index: Int) throws {
        #expect(try pending(Self.same[index].0, Self.same[index].1) == [])
    }

    private static let others = [
        (#"{"node": {"peer": {}}}"#, #"{"node": {"peer": {"port": 81}}}"#, "node.peer"),
        (#"{"node": {"peer": {}}}"#, #"{"node": {}}"#, "node.peer"),
        (#"{"node": {}}"#, #"{"node": {"peer": {}}}"#, "node.peer"),
        (#"{"node": {"peers": [{}]}}"#, #"{"node": {"peers": [{}, {}]}}"#, "node.peers"),
        (#"{"node": {"peers": [{"key": "a"}]}}"#, #"{"node": {"peers": [{"key": "b"}]}}"#, "node.peers"),
        (#"{"node": {"named": {"a": {}}}}"#, #"{"node": {"named": {"b": {}}}}"#, "node.named"),
    ]

    @Test("Another value is, and no value keeps the place of another", arguments: others.indices)
    func changed(index: Int) throws {
        let (before, after, name) = Self.others[index]
        #expect(try pending(before, after) == [name])
        let (store, source) = try store(before)
        source.set(try JsonPropertyLoader(string: after, name: "a").load().table)
        try store.reload()
        let inside = store.entries.filter { $0.name.hasPrefix(name) }
        #expect(inside.allSatisfy { "\($0.node.origin)".hasPrefix("kept since the start") }, "\(inside)")
        #expect(store.values.filter { $0.name.hasPrefix(name) }.allSatisfy { !"\($0)".contains("(a)") })
    }
}
