import Foundation
import PropertyLoadersEssentials
import Synchronization
import Testing

@Suite("Swift values that are not tables")
struct PlainValueTests {
    enum Level: String, Sendable { case debug, info }
    enum Payload: Sendable, Hashable { case none, some(port: Int, host: String) }
    struct Options: OptionSet, Hashable, Sendable { let rawValue: Int }
    struct Server: Sendable, Equatable { let host: String }

    /// A value of a stored property, and the case of `PropertyValue` that it becomes.
    struct Row: Sendable, CustomTestStringConvertible {
        let value: any Sendable
        let expected: String
        var testDescription: String { "\(value)" }
    }

    static let exact: [Row] = [
        Row(value: true, expected: "bool(true)"),
        Row(value: -1, expected: "integer(-1)"),
        Row(value: Int8.min, expected: "integer(-128)"),
        Row(value: UInt64.max, expected: "unsigned(18446744073709551615)"),
        Row(value: Int128.min, expected: "bigInteger(\"-170141183460469231731687303715884105728\")"),
        Row(value: UInt128(1) << 63, expected: "unsigned(9223372036854775808)"),
        Row(value: 1.5, expected: "double(1.5)"),
        Row(value: Float(0.1), expected: "double(0.1)"),
        Row(value: "text", expected: "string(\"text\")"),
        Row(value: Data([1, 2]), expected: "data([1, 2])"),
        Row(value: PropertyValue.text("x"), expected: "text(\"x\")"),
    ]

    @Test("A value that a case of PropertyValue represents without loss becomes that case", arguments: exact)
    func exactCases(row: Row) throws {
        let layer = try StructPropertyLoader(["x": row.value]).load()
        let value = try #require(layer.table["x"]?.value)
        #expect("\(value)" == row.expected)
    }

    static let whole: [any Sendable & Hashable] = [
        Payload.some(port: 1, host: "a"), Character("a"), "text".prefix(2), Level.info, Options(rawValue: 3), 1..<3,
        1...3, Duration.seconds(3),
        Date(timeIntervalSinceReferenceDate: 1.1), UUID(), URL(string: "https://a.b")!, Decimal(string: "1.10")!,
        Set([1, 2]), [1: "a"], [URL(string: "https://a.b")!], [Level.debug], [Optional(1), nil], ["a": 1].keys.first,
        PropertyKey("a.b"), TimeZone.gmt, Float16(1.5), SIMD2(1, 2), [[Int]](), UInt8(3)...5,
        StaticString("s").description,
    ]

    @Test("Every other value reads back as its own type", arguments: whole.indices)
    func ownType(index: Int) throws {
        func check<Value: Sendable & Hashable>(_ value: Value) throws {
            #expect(try loaded(["x": value]).require("x") == value)
        }
        try check(Self.whole[index])
    }

    @Test("A closure reads back from a dictionary and an array, and is skipped in a stored property")
    func closures() throws {
        typealias Transform = @Sendable (Int) -> Int
        struct Config: Sendable {
            let stored: Transform = { $0 * 2 }
            let optional: (@Sendable (String) -> String)? = { $0 + "!" }
            let pair: (Transform, Int) = ({ $0 * 3 }, 1)
            let list: [Transform] = [{ $0 * 5 }]
            let named: [String: Transform] = ["seven": { $0 * 7 }]
            let none: Transform? = nil
        }
        let store = try loaded(Config())
        #expect(names(store) == ["list", "named.seven", "pair.1"])
        let list: [Transform] = try store.require("list")
        #expect(list.map { $0(4) } == [20])
        let seven: Transform = try store.require("named.seven")
        #expect(seven(4) == 28)
    }

    @Test("An array of plain values becomes an array, at any depth")
    func plainArrays() throws {
        let mixed: [any Sendable] = [1, "a", ["k": [2.5]]]
        let store = try loaded(
            [
                "ints": [1, 2], "none": [Int](), "nested": [[1], [2, 3]], "mixed": mixed, "tables": [["a": 1]],
            ] as [String: any Sendable])
        #expect(store.property("ints") == [1, 2])
        #expect(store.property("ints") == [Int8(1), 2])
        #expect(store.property("none") == [Int]())
        #expect(store.property("nested") == [[1], [2, 3]])
        #expect(store.property("tables") == [["a": 1]])
        let layer = try StructPropertyLoader(["mixed": mixed], name: "top").load()
        guard case .array(let nodes) = layer.table["mixed"]?.value else { throw Unexpected() }
        #expect(nodes.count == 3)
        #expect(nodes[2].origin.description == "top mixed")
    }

    @Test("An array of structs, enums or URLs is a single value, even if it is empty or inside an array")
    func arraysOfStructs() throws {
        struct Config: Sendable {
            let servers = [Server(host: "a"), Server(host: "b")]
            let none: [Server] = []
            let groups = [[Server(host: "a")], []]
            let levels = [Level.debug]
            let named = [["main": Server(host: "m")]]
        }
        let store = try loaded(Config())
        #expect(store.property("servers") == [Server(host: "a"), Server(host: "b")])
        #expect(store.property("none") == [Server]())
        #expect(store.property("groups") == [[Server(host: "a")], []])
        #expect(store.property("levels") == [Level.debug])
        #expect(store.property("named") == [["main": Server(host: "m")]])
    }

    actor Worker { let id = 1 }

    @Test("An actor is a single value, and a noncopyable value is skipped")
    func actorsAndMutexes() throws {
        final class Locked: Sendable {
            let lock = Mutex(1)
            let port = 80
        }
        struct Config: Sendable { let worker = Worker(), locked = Locked() }
        let config = Config()
        let store = try loaded(config)
        #expect(names(store) == ["locked.port", "worker"])
        #expect(store.property("worker") === config.worker)
    }
}
