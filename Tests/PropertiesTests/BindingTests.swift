import Properties
import PropertyLoadersEssentials
import Testing

@Suite("What binding makes of types that look after themselves")
struct BindingTests {
    /// A byte that is never 0.
    private struct Percent: RawRepresentable, Decodable {
        let rawValue: UInt8
        init?(rawValue: UInt8) {
            guard (1...100).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    private struct Share: Decodable {
        var percent: Percent
        var part: Int
        private enum Keys: String, CodingKey { case percent, part }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            percent = try container.decode(Percent.self, forKey: .percent)
            // A divisor, in a real service.
            #expect(percent.rawValue > 0)
            part = try container.decode(Int.self, forKey: .part)
        }
    }

    @Test("No value that a type refuses to be made of reaches the code around it")
    func invariant() throws {
        let store = try PropertyStore(Literal(["percent": 0, "part": "x"]))
        let errors = #expect(throws: PropertyErrors.self) { _ = try store.bind(Share.self) }
        #expect(errors?.problems.map(\.name) == ["percent"])
    }

    private enum Level: String, Decodable { case debug, info }

    private struct Logging: Decodable {
        var level: Level
        var size: Int
    }

    @Test("An enum that does not list its cases is made up, so that the keys after it are looked at too")
    func unlistedEnum() throws {
        let store = try PropertyStore(Literal(["level": "loud", "size": "x"]))
        let errors = #expect(throws: PropertyErrors.self) { _ = try store.bind(Logging.self) }
        #expect(errors?.problems.map(\.name) == ["level", "size"])
    }

    /// A string or an integer.
    private enum Either: Decodable, Equatable {
        case integer(Int), string(String)
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let integer = try? container.decode(Int.self) {
                self = .integer(integer)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }

    private struct Window: Decodable {
        var width: Int?
        var name: Either
        var inner: Inner?
        private enum Keys: String, CodingKey { case width, name, inner }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            width = try? container.decode(Int.self, forKey: .width)
            do {
                name = .integer(try container.decode(Int.self, forKey: .name))
            } catch {
                name = try container.decode(Either.self, forKey: .name)
            }
            inner = try? container.decode(Inner.self, forKey: .inner)
        }
    }

    private struct Inner: Decodable { var port: Int }

    @Test("A type may try one thing and then another")
    func attempts() throws {
        let store = try PropertyStore(
            Literal(["one": "a", "w": ["name": "n"], "v": ["name": "n", "inner": ["port": 1]], "list": ["a", 1]]))
        #expect(try store.bind(Either.self, at: "one") == .string("a"))
        #expect(try store.bind([Either].self, at: "list") == [.string("a"), .integer(1)])
        let window = try store.bind(Window.self, at: "w", unknownKeys: .refused)
        #expect(window.width == nil)
        #expect(window.name == .string("n"))
        #expect(window.inner == nil)
        #expect(try store.bind(Window.self, at: "v", unknownKeys: .refused).inner?.port == 1)
    }

    @Test("Many attempts may fail")
    func manyAttempts() throws {
        struct Rule: Decodable {
            var count: Int
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let inner = try? container.decode(Inner.self)
                count = try inner?.port ?? container.decode([String: Int].self).count
            }
        }
        let rules = PropertyValue.array((0..<200).map { _ in PropertyNode(["a": 1, "b": 2]) })
        let store = try PropertyStore(Literal(["rules": rules]))
        #expect(try store.bind([Rule].self, at: "rules", unknownKeys: .refused).map(\.count).reduce(0, +) == 400)
    }

    @Test("What is wrong beside an attempt, and what nobody reads, is told alone")
    func besideAttempts() throws {
        struct All: Decodable { var either: Either, window: Window, port: Int }
        let store = try PropertyStore(
            Literal(["either": "a", "window": ["name": "n", "inner": ["port": 1, "prot": 2]], "port": "x"]))
        let errors = #expect(throws: PropertyErrors.self) { _ = try store.bind(All.self, unknownKeys: .refused) }
        #expect(errors?.problems.map(\.name) == ["port", "window.inner.prot"])
    }

    @Test("A problem with all properties together names them in words")
    func root() throws {
        struct Root: Decodable {
            struct Complaint: Error {}
            init(from decoder: any Decoder) throws { throw Complaint() }
        }
        let store = try PropertyStore(Literal(["a": 1]))
        let errors = #expect(throws: PropertyErrors.self) { _ = try store.bind(Root.self) }
        #expect(errors?.description.hasPrefix("the root is a table of 1 key; expected a value for Root") == true)
    }
}
