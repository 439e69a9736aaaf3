import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Binding types with a custom init(from:)")
struct BindingTests {
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

    @Test("A failure that a type recovers from is not a problem")
    func recovery() throws {
        let store = try PropertyStore(
            Literal(["a": ["inner": [["port": 1, "x": 2], ["prot": 2]]], "b": [:], "c": ["inner": nil]]))
        #expect(try store.bind(Recovering.self, at: "a").ports == [2])
        #expect(try store.bind(Recovering.self, at: "b").ports == [0])
        #expect(try store.bind(Recovering.self, at: "c").ports == [0])
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
        #expect(try store.bind([Names].self, at: "list").first?.names == keys)
    }

    private struct Inner: Decodable { var port: Int }
}
