import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The depth limit of decoding")
struct DecodingDepthTests {
    /// A type whose decoding needs a large stack frame. Its children are in arrays, which are in a table.
    private struct Branch: Decodable {
        var name: String?
        var timeout: Duration?
        var url: URL?
        var since: Date?
        var limits: [String: Double]?
        var ports: [UInt16]?
        var next: [String: [Branch]]?
    }

    private final class Link: Decodable {
        var next: Link?
        var values: [Int]?
    }

    private indirect enum Chain: Decodable {
        case end(Int), link(Chain)
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Int.self) {
                self = .end(value)
            } else {
                self = .link(try container.decode([String: Chain].self)["next"] ?? .end(0))
            }
        }
    }

    /// A type that decodes itself with the decoder that `superDecoder(forKey:)` returns.
    private struct Super: Decodable {
        private enum Keys: String, CodingKey { case next }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            if container.contains(.next) { _ = try Super(from: container.superDecoder(forKey: .next)) }
        }
    }

    /// A type that decodes itself from the same value without end.
    private struct Endless: Decodable {
        init(from decoder: any Decoder) throws {
            self = try decoder.singleValueContainer().decode(Endless.self)
        }
    }

    private static func nested(_ levels: Int) -> PropertyValue {
        (0..<levels).reduce([:]) { value, _ in .table(PropertyTable([("next", value)])) }
    }

    private static func chain(_ levels: Int, end: PropertyValue) -> PropertyValue {
        let last: PropertyValue = .table(PropertyTable([("values", end)]))
        return (0..<levels).reduce(last) { value, _ in .table(PropertyTable([("next", value)])) }
    }

    private static func branches(_ levels: Int) -> PropertyValue {
        (0..<levels).reduce([:]) { value, _ in ["next": ["a": .array([PropertyNode(value)])]] }
    }

    private static func outcome<T: Decodable>(_ value: PropertyValue, _ type: T.Type) -> String {
        do {
            _ = try PropertyStore(Literal(["x": value])).bind(type, at: "x")
            return "read"
        } catch {
            return (error as? ConfigurationErrors)?.found.map { "\($0.reason)" }.joined(separator: ", ") ?? "\(error)"
        }
    }

    @Test("Values up to the depth limit can be decoded on a stack of 512 KB, and deeper ones are an error")
    func smallStack() async {
        let outcomes = await onSmallStack {
            [
                Self.outcome(Self.nested(32), Link.self), Self.outcome(Self.nested(33), Link.self),
                Self.outcome(Self.nested(127), Link.self),
                Self.outcome(Self.branches(10), Branch.self), Self.outcome(Self.branches(11), Branch.self),
                Self.outcome(Self.branches(42), Branch.self),
                Self.outcome(Self.nested(15), Chain.self), Self.outcome(Self.nested(127), Chain.self),
                Self.outcome(Self.nested(32), Super.self), Self.outcome(Self.nested(33), Super.self),
                Self.outcome([:], Endless.self),
            ]
        }
        let expected = ["read", "limit", "limit", "read", "limit", "limit", "read", "limit", "read", "limit", "limit"]
        #expect(outcomes == expected)
    }

    @Test("The error message states the depth limit")
    func message() throws {
        let store = try PropertyStore(Literal("c", ["x": Self.nested(33)]))
        let error = #expect(throws: ConfigurationErrors.self) { _ = try store.bind(Link.self, at: "x") }
        let name = "x" + String(repeating: ".next", count: 33)
        #expect(
            error?.lines
                == "c: '\(name)' is a table of 0 keys; expected a value at most 32 levels deep. Make the values flatter."
        )
    }
}
