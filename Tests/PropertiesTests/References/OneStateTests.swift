import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("An answer about the properties is about one state, also if the state changes in the middle")
struct OneStateTests {
    struct Database: Settings {
        @Setting("Where it is") var host = "localhost"
        @Setting("Where it listens") var port = 5432
    }
    struct Limits: Settings { @Setting("The most a second", environment: "MOST") var most = 5 }
    struct Queue: Settings { var limits: Limits? }

    enum Answer: CaseIterable {
        case setting, table, allValues, values, entries, jsonSchema, help, template

        func text<Reader: PropertyReading>(_ reader: Reader) throws -> String where Reader.Properties == Reader {
            switch self {
            case .setting: try reader.explain("db.port").json
            case .table: try reader.explain("db").json
            case .allValues: reader.allValues.json
            case .values: reader.values.json
            case .entries: reader.entries.json
            case .jsonSchema: reader.jsonSchema(refusesUnknownKeys: true)
            case .help: reader.help()
            case .template: reader.template()
            }
        }
    }

    /// A reader whose first read sees another state than all later reads.
    private final class ChangingReader: PropertyReading {
        private var first: PropertySnapshot?
        private let others: PropertySnapshot

        init(_ first: PropertySnapshot, then others: PropertySnapshot) { (self.first, self.others) = (first, others) }

        var properties: ChangingReader { self }
        var snapshot: PropertySnapshot {
            defer { first = nil }
            return first ?? others
        }
    }

    @Test("It is as before the change, or as after it", arguments: Answer.allCases)
    func oneState(answer: Answer) throws {
        let store = PropertyStore()
        store.declare(Database.self, at: "db")
        try store.apply(TomlPropertyLoader(string: "db = { host = \"one\", port = 1 }\nother = 1", name: "before.toml"))
        let before = store.snapshot
        let changed = PropertyStore()
        changed.declare(Database.self, at: "db")
        changed.declare(Queue.self, at: "queue")
        try changed.apply(TomlPropertyLoader(string: "other = 2\n[db]\nhost = \"two\"\nport = 2", name: "after.toml"))
        let after = changed.snapshot
        let texts = [try answer.text(before), try answer.text(after)]
        #expect(texts[0] != texts[1])
        let text = try answer.text(ChangingReader(before, then: after))
        #expect(texts.contains(text))
    }
}
