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
}
