import Properties
import PropertyLoadersEssentials
import Testing

@Suite("A custom init(from:) never receives made-up values")
struct BindingTrapTests {
    private struct Pool: Decodable {
        var share: Int
        private enum Keys: String, CodingKey { case total, workers }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let total = try container.decode(Int.self, forKey: .total)
            let workers = try container.decode(Int.self, forKey: .workers)
            share = total / workers
        }
    }

    private struct Cluster: Decodable {
        var primary: String
        private enum Keys: String, CodingKey { case hosts }
        init(from decoder: any Decoder) throws {
            let hosts = try decoder.container(keyedBy: Keys.self).decode([String].self, forKey: .hosts)
            primary = hosts[0]
        }
    }

    private struct Ports: Decodable {
        var range: ClosedRange<Int>
        private enum Keys: String, CodingKey { case low, high }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let low = try container.decode(Int.self, forKey: .low)
            let high = try container.decode(Int.self, forKey: .high)
            range = low...high
        }
    }

    private func message<T: Decodable>(_ text: String, _ type: T.Type) throws -> String? {
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: text, name: "c.json"))
        return #expect(throws: ConfigurationErrors.self) { _ = try store.bind(type) }?.lines
    }

    private struct Service: Decodable { var pool: Pool }

    @Test("A type that divides by a value")
    func division() throws {
        let text = "{\"pool\":{\"total\":100,\"workers\":\"four\"}}"
        #expect(
            try message(text, Service.self)
                == "c.json:1:32: 'pool.workers' is the string \"four\"; expected an integer. Change the value.")
    }

    @Test("A type that takes the first element of an array")
    func element() throws {
        #expect(
            try message("{\"hosts\":\"a\"}", Cluster.self)
                == "c.json:1:10: 'hosts' is the string \"a\"; expected an array. Put it into an array.")
        #expect(
            try message("{\"hosts\":[1,\"a\"]}", Cluster.self)
                == "c.json:1:11: 'hosts[0]' is the integer 1; expected a string. Put it in quotes.")
    }

    @Test("A type that builds a range from two values")
    func range() throws {
        #expect(
            try message("{\"low\":8000,\"high\":\"x\"}", Ports.self)
                == "c.json:1:20: 'high' is the string \"x\"; expected an integer. Change the value.")
        #expect(
            try message("{\"low\":8000}", Ports.self)
                == "'high' is missing; expected an integer. "
                + "Set it in a source.")
    }
}
