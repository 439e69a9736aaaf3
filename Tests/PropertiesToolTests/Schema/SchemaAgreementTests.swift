import Foundation
import PropertiesTool
import PropertyLoaders
import TestSupport
import Testing

@Suite("A schema agrees with the service")
struct SchemaAgreementTests {
    /// Returns the problems of a document, or of single values of a command line, by the keys of a store.
    static func problems(_ store: PropertyStore, _ loader: any PropertyLoader, refusesUnknownKeys: Bool) -> [String] {
        do {
            try store.apply(loader)
            try store.verify(unknownKeys: refusesUnknownKeys ? .refused : .ignored)
            return []
        } catch {
            return ConfigurationErrors([error]).problems.map(\.description)
        }
    }

    static func value(_ json: String) throws -> PropertyValue {
        // Names inside an array are not split at dots.
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: "{\"values\": [\(json)]}", name: "value"))
        return try store.require("values", as: [PropertyValue].self)[0]
    }

    /// Returns an empty store with the keys of a schema.
    static func tool(_ schema: PropertyValue) throws -> PropertyStore {
        let keys = try SchemaKeys(PropertyNode(schema))
        let store = PropertyStore()
        store.acceptUncheckedChanges()
        keys.declare(in: store)
        return store
    }

    /// The number of documents: 20,000 in a long run.
    private static let rounds = ProcessInfo.processInfo.environment["SCHEMA_DOCUMENTS"].flatMap { Int($0) } ?? 100

    @Test("Random documents have the same problems in the service and the tool, and the schema refuses no valid one")
    func randomDocuments() throws {
        let perSchema = min(100, max(10, Self.rounds / 20))
        var random = SplitMix(state: 26)
        var valid = 0, refused = 0
        var record = SchemaRecord()
        for _ in 0..<(Self.rounds / perSchema) {
            let keys = RandomKeys(&random)
            let schema = try Self.value(keys.schema)
            record.begin(keys.schema)
            for _ in 0..<perSchema {
                let document = keys.document(&random)
                let problems = try self.problems(keys, schema, JsonPropertyLoader(string: document, name: "d.json"))
                let isAccepted = try JsonSchemaValidator.accepts(Self.value(document), schema)
                record.add(document, isValid: problems.isEmpty)
                valid += problems.isEmpty ? 1 : 0
                refused += isAccepted ? 0 : 1
                #expect(!problems.isEmpty || isAccepted, "\(document)\n\(keys.schema)")
                _ = try self.problems(keys, schema, CommandLinePropertyLoader(arguments: keys.arguments(&random)))
                _ = try self.problems(keys, schema, Typed(table: keys.table(&random)))
            }
        }
        try record.write()
        // Without many documents of each kind, the test would show little.
        #expect(valid > Self.rounds / 10)
        #expect(refused > Self.rounds / 5)
    }

    /// A source whose values have types.
    private struct Typed: PropertyLoader {
        let table: PropertyTable
        func load() -> PropertyLayer { PropertyLayer(table, source: PropertySource(name: "typed")) }
    }

    /// Returns the problems of a source, which are the same in the service and the tool.
    private func problems(
        _ keys: RandomKeys, _ schema: PropertyValue, _ loader: any PropertyLoader
    ) throws -> [String] {
        let refuses = keys.refusesUnknownKeys
        let service = Self.problems(keys.store, loader, refusesUnknownKeys: refuses)
        let tool = try Self.problems(Self.tool(schema), loader, refusesUnknownKeys: refuses)
        #expect(tool == service, "\(keys.schema)")
        return service
    }

}

/// The schemas and documents of a run, with the verdicts of the service, for another validator. They are written to the
/// file that the environment variable `SCHEMA_RECORD` names.
private struct SchemaRecord {
    private var groups: [(schema: String, documents: [String])] = []

    mutating func begin(_ schema: String) { groups.append((schema, [])) }

    mutating func add(_ document: String, isValid: Bool) {
        // As text, since a parser rounds numbers.
        groups[groups.count - 1].documents
            .append("{\"document\": \(JsonText.quoted(document)), \"service\": \(isValid)}")
    }

    func write() throws {
        guard let path = ProcessInfo.processInfo.environment["SCHEMA_RECORD"] else { return }
        let texts = groups.map { group in
            "{\"schema\": \(group.schema), \"documents\": [\(group.documents.joined(separator: ",\n"))]}"
        }
        try Data("[\(texts.joined(separator: ",\n"))]\n".utf8).write(to: URL(fileURLWithPath: path))
    }
}
