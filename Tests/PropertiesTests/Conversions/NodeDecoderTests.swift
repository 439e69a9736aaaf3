import Properties
import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Decodable types")
struct NodeDecoderTests {
    enum Level: String, Decodable { case debug, info }

    struct Config: Decodable {
        struct Server: Decodable {
            var host: String
            var port: UInt16
            var tags: [String]?
        }
        var name: String
        var level: Level
        var timeout: Duration
        var url: URL
        var since: Date?
        var servers: [Server]
        var limits: [String: Double]
        var note: String?
    }

    static let text = """
        name = "a"
        level = "info"
        timeout = "1m30s"
        url = "https://example.com"
        since = 1970-01-01T00:00:01Z
        limits.x = 1
        limits.y = 0.5
        note = null
        """

    private func store(_ text: String = text) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(Lines("config.toml", text))
        try store.apply(
            Literal("servers", ["servers": [["host": "h", "port": 80], ["host": "i", "port": 81.0, "tags": ["t"]]]]))
        return store
    }

    @Test("The values in a Decodable type are converted like properties")
    func all() throws {
        let config = try store().bind(Config.self)
        #expect(config.name == "a")
        #expect(config.level == .info)
        #expect(config.timeout == .seconds(90))
        #expect(config.url.host == "example.com")
        #expect(config.since == Date(timeIntervalSince1970: 1))
        #expect(config.servers.map(\.port) == [80, 81])
        #expect(config.servers[1].tags == ["t"])
        #expect(config.limits == ["x": 1, "y": 0.5])
        #expect(config.note == nil)
    }

    struct Part: Decodable {
        var level: Level?
        var timeout: Duration?
        var url: URL
        var limits: [String: Double]?
    }

    @Test("Binding reports the first problem of each element, and all problems of an array or table of plain values")
    func severalProblems() throws {
        let store = PropertyStore()
        try store.apply(
            Lines(
                "config.toml",
                """
                p.a.level = 5
                p.a.url = "https://example.com"
                p.b.timeout = 30
                p.c.limits = null
                p.d.url = "u:x"
                p.d.limits.x = "1"
                p.d.limits.y = true
                p.e = [1, 2]
                """))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.bind([String: Part].self, at: "p") }
        #expect(
            errors?.lines == """
                config.toml: 'p.c.url' is missing; expected a URL such as "https://example.com". \
                Did you mean 'p.a.url' (config.toml:2:11)?
                config.toml:1:13: 'p.a.level' is the integer 5; expected a string. Put it in quotes.
                config.toml:3:15: 'p.b.timeout' is the integer 30; expected a duration such as "1m30s" or "250ms". \
                Add the unit: "30s" for seconds, "30ms" for milliseconds.
                config.toml:6:16: 'p.d.limits.x' is the string "1"; expected a number. Remove the quotes.
                config.toml:7:16: 'p.d.limits.y' is the boolean true; expected a number. Change the value.
                config.toml:8:7: 'p.e' is an array of 2 values; expected a table. Write a table in its place.
                """)
    }

    struct Nested: Decodable {
        struct Inner: Decodable { var a: Int, b: Int, more: [Inner]? }
        var one: Inner
        var two: Inner
        var last: Int
    }

    @Test("The error about a missing value has its full path and the source of its table")
    func missing() throws {
        let store = PropertyStore()
        try store.apply(Lines("c", "n.one.a = 1\nn.last = \"x\""))
        let inner = #expect(throws: ConfigurationErrors.self) { try store.bind(Nested.self, at: "n") }
        #expect(inner?.found.map(\.name) == ["n.one.b"])
        #expect(inner?.found.map(\.reason) == [.missing])
        try store.apply(Lines("d", "n.one.b = 2"))
        let outer = #expect(throws: ConfigurationErrors.self) { try store.bind(Nested.self, at: "n") }
        #expect(outer?.lines == "d: 'n.two' is missing; expected a table for Inner. Set it in c or in d.")
        let absent = #expect(throws: ConfigurationErrors.self) { try store.bind(Nested.self, at: "x") }
        #expect(absent?.lines == "'x' is missing; expected a table for Nested. Set it in c or in d.")
    }

    struct Picky: Decodable {
        struct Complaint: Error, CustomStringConvertible { var description: String { "no luck" } }
        var port: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            port = try container.decode(Int.self, forKey: .port)
            if port == 13 { throw Complaint() }
            guard port > 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .port, in: container, debugDescription: "a port is above 0")
            }
        }
        enum Keys: String, CodingKey { case port }
    }

    @Test(
        "An error that a custom init(from:) throws is reported with the value that it is about",
        arguments: [
            (
                "p.port = 0",
                "c:1:10: 'p.port' is the integer 0; expected another value (a port is above 0). "
                    + "Change the value."
            ),
            ("p.port = 13", "c: 'p' is a table of 1 key; expected a value for Picky (no luck). Change the value."),
            ("p.port = \"x\"", "c:1:10: 'p.port' is the string \"x\"; expected an integer. Change the value."),
        ])
    func complaints(text: String, message: String) throws {
        let store = PropertyStore()
        try store.apply(Lines("c", text))
        let read = #expect(throws: PropertyError.self) { try store.require("p", as: Picky.self) }
        #expect(read?.description == message)
        let bound = #expect(throws: ConfigurationErrors.self) { try store.bind(Picky.self, at: "p") }
        #expect(bound?.lines == message)
    }

    class Base: Decodable { var id: Int }
    final class Derived: Base {
        var name: String
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }
        enum Keys: String, CodingKey { case name }
    }

    struct Manual: Decodable {
        var values: [Int] = []
        var deep = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            while !list.isAtEnd { values.append(try list.decodeNil() ? -1 : list.decode(Int.self)) }
            deep = try container.nestedContainer(keyedBy: Keys.self, forKey: .table).decode(Int.self, forKey: .deep)
        }
        enum Keys: String, CodingKey { case list, table, deep }
    }

    @Test("Superclasses and nested containers are decoded, and errors in them have their paths")
    func containers() throws {
        let store = try PropertyStore(
            Literal([
                "d": ["name": "n", "super": ["id": 7]], "m": ["list": [1, nil, 3], "table": ["deep": 4]],
                "wrong": ["list": [1], "table": ["deep": "4"]],
            ]))
        let derived = try store.bind(Derived.self, at: "d")
        #expect(derived.id == 7)
        #expect(derived.name == "n")
        let manual = try store.bind(Manual.self, at: "m")
        #expect(manual.values == [1, -1, 3])
        #expect(manual.deep == 4)
        let errors = #expect(throws: ConfigurationErrors.self) { try store.bind(Manual.self, at: "wrong") }
        #expect(errors?.found.map(\.name) == ["wrong.table.deep"])
    }

}
