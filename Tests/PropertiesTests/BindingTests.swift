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
