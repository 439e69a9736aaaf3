import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Binding types with a custom init(from:)")
struct BindingTests {
    /// A byte from 1 to 100.
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
            // A real service could divide by this value.
            #expect(percent.rawValue > 0)
            part = try container.decode(Int.self, forKey: .part)
        }
    }

    @Test("If a type rejects a value, the code that would use the value does not run")
    func invariant() throws {
        let store = try PropertyStore(Literal(["percent": 0, "part": "x"]))
        let errors = #expect(throws: ConfigurationErrors.self) { _ = try store.bind(Share.self) }
        #expect(errors?.found.map(\.name) == ["percent"])
    }

    private struct Empty: Decodable {}
    private struct Outer: Decodable { var empty: Empty }

    @Test("A type without properties knows no key")
    func empty() throws {
        let store = try PropertyStore(Literal(["empty": ["port": 1]]))
        func unknown<T: Decodable>(_ type: T.Type, at name: String? = nil) -> [String] {
            let errors = #expect(throws: ConfigurationErrors.self) {
                _ = try store.bind(type, at: name, unknownKeys: .refused)
            }
            return errors?.found.map(\.name) ?? []
        }
        #expect(unknown(Empty.self, at: "empty") == ["empty.port"])
        #expect(unknown(Outer.self) == ["empty.port"])
        #expect(unknown(Empty.self) == ["empty"])
    }

    private enum Level: String, Decodable { case debug, info }

    private struct Logging: Decodable {
        var level: Level
        var size: Int
    }

    @Test("The decoding of a type stops at its first problem")
    func firstProblem() throws {
        let store = try PropertyStore(Literal(["level": "loud", "size": "x"]))
        let errors = #expect(throws: ConfigurationErrors.self) { _ = try store.bind(Logging.self) }
        #expect(errors?.found.map(\.name) == ["level"])
    }

    private struct Inners: Decodable { var list: [Inner], table: [String: Inner] }

    @Test("After an element of an array or a table has failed, the other elements are still converted")
    func siblings() throws {
        let elements: PropertyValue = [["port": "x"], ["port": 1, "prot": 2], ["port": true], 4]
        let named: PropertyValue = ["a": ["port": "x"], "b": ["port": 1, "prot": 2], "c": nil, "d": ["prot": 1]]
        let store = try PropertyStore(
            Literal(["list": elements, "table": named, "both": [elements, [["port": nil]]]]))
        func problems<T: Decodable>(_ type: T.Type, at name: String? = nil) -> [String] {
            let errors = #expect(throws: ConfigurationErrors.self) {
                _ = try store.bind(type, at: name, unknownKeys: .refused)
            }
            return (errors?.found.map(\.name) ?? []).sorted()
        }
        let failed = ["list[0].port", "list[2].port", "list[3]"]
        #expect(problems([Inner].self, at: "list") == (failed + ["list[1].prot"]).sorted())
        #expect(problems([String: Inner].self, at: "table") == ["table.a.port", "table.b.prot", "table.d.port"])
        let nested = failed.map { "both[0]\($0.dropFirst(4))" }
        #expect(problems([[Inner]].self, at: "both") == (nested + ["both[1][0].port", "both[0][1].prot"]).sorted())
        // `Inners` stopped at its first property that failed, so it is unknown which other keys it would have looked
        // up.
        #expect(problems(Inners.self) == failed)
    }

    @Test("Binding stops after a thousand problems")
    func manyProblems() throws {
        let store = try PropertyStore(
            Literal(["list": .array((0..<3000).map { _ in PropertyNode("x") }), "lists": [["x"], ["y"]]]))
        let errors = #expect(throws: ConfigurationErrors.self) { _ = try store.bind([Int].self, at: "list") }
        #expect(errors?.found.count == 1000)
        #expect(errors?.found.last?.name == "list[999]")
        let read = #expect(throws: PropertyError.self) { try store.require("lists", as: [[Int]].self) }
        #expect(read?.name == "lists[0][0]")
    }

    private struct Recovering: Decodable {
        var ports: [Int]
        private enum Keys: String, CodingKey { case inner }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            do {
                ports = try container.decode([Inner].self, forKey: .inner).map(\.port)
            } catch {
                ports = [try container.decodeIfPresent([[String: Int]].self, forKey: .inner)?.count ?? 0]
            }
        }
    }

    @Test("A failure that a type recovers from is not a problem, and keys in a failed attempt do not count as read")
    func recovery() throws {
        let store = try PropertyStore(
            Literal(["a": ["inner": [["port": 1, "x": 2], ["prot": 2]]], "b": [:], "c": ["inner": nil]]))
        #expect(try store.bind(Recovering.self, at: "a", unknownKeys: .refused).ports == [2])
        #expect(try store.bind(Recovering.self, at: "b", unknownKeys: .refused).ports == [0])
        #expect(try store.bind(Recovering.self, at: "c", unknownKeys: .refused).ports == [0])
    }

    private struct Caught: Decodable {
        var kind: String
        private enum Keys: String, CodingKey { case port }
        init(from decoder: any Decoder) throws {
            do {
                kind = "\(try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .port))"
            } catch DecodingError.keyNotFound(let key, let context) {
                kind = "no \(key.stringValue) in \(context.codingPath.count)"
            } catch DecodingError.valueNotFound(let type, _) {
                kind = "null \(type)"
            } catch DecodingError.typeMismatch(let type, _) {
                kind = "no \(type)"
            }
        }
    }

    @Test(
        "A type can catch the same errors that other decoders throw",
        arguments: [
            ([:], "no port in 0"), (["port": nil], "null Int"), (["port": "x"], "no Int"), (["port": 5], "5"),
            (5, "no Dictionary<String, Any>"),
        ] as [(PropertyValue, String)])
    func errors(value: PropertyValue, kind: String) throws {
        let store = try PropertyStore(Literal(["x": value]))
        #expect(try store.bind(Caught.self, at: "x").kind == kind)
    }

    private struct Names: Decodable {
        var names: [String]
        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
        }
    }

    @Test("A type sees the keys of a table in their original order")
    func order() throws {
        let keys = (0..<100).map { "key\($0)" }
        let table = PropertyTable(keys.map { ($0, 1) })
        let store = try PropertyStore(Literal(["list": [.table(table)]]))
        #expect(try store.bind([Names].self, at: "list", unknownKeys: .refused).first?.names == keys)
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

    @Test("A type may try several ways to decode a value")
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

    @Test("Each of 200 elements may fail in its first attempt to decode")
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

    @Test("Only problems and unknown keys outside of failed attempts are reported")
    func besideAttempts() throws {
        struct All: Decodable { var either: Either, window: Window, port: Int }
        let window: PropertyValue = ["name": "n", "inner": ["port": 1, "prot": 2]]
        let store = try PropertyStore(
            Literal([
                "all": [
                    ["either": "a", "window": window, "port": "x"], ["either": "a", "window": window, "port": 1],
                ]
            ]))
        let errors = #expect(throws: ConfigurationErrors.self) {
            _ = try store.bind([All].self, at: "all", unknownKeys: .refused)
        }
        #expect(errors?.found.map(\.name).sorted() == ["all[0].port", "all[1].window.inner.prot"])
    }

    private struct Dotted: Decodable {
        var dotted: Inner
        var a: [String: Inner]
        private enum CodingKeys: String, CodingKey { case dotted = "a.b", a }
    }

    @Test("The keys of two tables whose paths have the same text are recorded apart")
    func dottedKeys() throws {
        let (x, y): (PropertyValue, PropertyValue) = (["port": 1, "x": 2], ["port": 1, "y": 2])
        let store = try PropertyStore(Literal(["list": [["a.b": x, "a": ["b": y]]]]))
        let errors = #expect(throws: ConfigurationErrors.self) {
            _ = try store.bind([Dotted].self, at: "list", unknownKeys: .refused)
        }
        #expect(errors?.found.map(\.name) == ["list[0].a.b.x", "list[0].a.b.y"])
    }

    @Test("An error about all properties together names the root")
    func root() throws {
        struct Root: Decodable {
            struct Complaint: Error {}
            init(from decoder: any Decoder) throws { throw Complaint() }
        }
        let store = try PropertyStore(Literal(["a": 1]))
        let errors = #expect(throws: ConfigurationErrors.self) { _ = try store.bind(Root.self) }
        #expect(errors?.lines.hasPrefix("the root is a table of 1 key; expected a value for Root") == true)
    }
}
