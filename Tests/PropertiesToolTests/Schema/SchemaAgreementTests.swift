import Container
import Foundation
import PropertiesTool
import PropertyLoaders
import TestSupport
import Testing

@Suite("A schema agrees with the service")
struct SchemaAgreementTests {
    /// Returns the problems of a source by the declared keys of a store, and its unknown names with their places. The
    /// names are nil if values of the source contradict each other.
    private static func service(_ keys: RandomKeys, _ loader: any PropertyLoader) -> (
        problems: Int, unknown: Set<String>?
    ) {
        do {
            let store = keys.store
            try store.apply(loader)
            try store.verify(unknownKeys: keys.refusesUnknownKeys ? .refused : .ignored)
            return (0, [])
        } catch {
            let problems = ConfigurationErrors([error]).problems
            // A value in place of a table has the name of the table. The tool does not judge it.
            if problems.contains(where: { $0.error is PropertyLoadError }) { return (problems.count, nil) }
            let unknown = problems.compactMap { $0.error as? PropertyError }.filter { !keys.isTable($0.name) }
            return (problems.count, names(unknown))
        }
    }

    /// Returns the unknown names that the tool finds in a source, with their places.
    private static func tool(_ schema: PropertyValue, _ loader: any PropertyLoader) throws -> Set<String> {
        let schema = try Schema(PropertyNode(schema)), store = PropertyStore()
        store.acceptUncheckedChanges()
        schema.declare(in: store)
        // The service reports sources that contradict each other.
        guard (try? store.apply(loader)) != nil else { return [] }
        return names(schema.unknownNames(in: store))
    }

    private static func names(_ errors: [PropertyError]) -> Set<String> {
        Set(errors.filter { $0.reason == .unknownKey }.map { "\($0.name) at \($0.origin.map { "\($0)" } ?? "-")" })
    }

    static func value(_ json: String) throws -> PropertyValue {
        // Names inside an array are not split at dots.
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: "{\"values\": [\(json)]}", name: "value"))
        return try store.require("values", as: [PropertyValue].self)[0]
    }

    /// The number of documents: 20,000 in a long run.
    private static let rounds = ProcessInfo.processInfo.environment["SCHEMA_DOCUMENTS"].flatMap { Int($0) } ?? 100

    @Test("The schema refuses no valid document, and the tool finds the names that the service does not read")
    func randomDocuments() throws {
        let perSchema = min(100, max(10, Self.rounds / 20))
        var random = SplitMix(state: 26)
        var valid = 0, refused = 0, unknown = 0
        var record = SchemaRecord()
        for _ in 0..<(Self.rounds / perSchema) {
            let keys = RandomKeys(&random)
            let schema = try Self.value(keys.schema)
            record.begin(keys.schema)
            for _ in 0..<perSchema {
                let document = keys.document(&random)
                let service = try compared(keys, schema, JsonPropertyLoader(string: document, name: "d.json"))
                let isAccepted = try JsonSchemaValidator.accepts(Self.value(document), schema)
                record.add(document, isValid: service.problems == 0)
                valid += service.problems == 0 ? 1 : 0
                refused += isAccepted ? 0 : 1
                unknown += service.unknown?.count ?? 0
                #expect(service.problems > 0 || isAccepted, "\(document)\n\(keys.schema)")
                _ = try compared(keys, schema, CommandLinePropertyLoader(arguments: keys.arguments(&random)))
                _ = try compared(keys, schema, Typed(table: keys.table(&random)))
            }
        }
        try record.write()
        // Without many documents of each kind, the test would show little.
        #expect(valid > Self.rounds / 10)
        #expect(refused > Self.rounds / 5)
        #expect(unknown > Self.rounds / 50)
    }

    @Test("The schema accepts a table with declared keys at a name that is declared as a value, too")
    func tableInPlaceOfValue() throws {
        func declare<T>(_ key: TypedKey<T>) throws -> PropertyValue {
            let store = PropertyStore()
            store.declare(key)
            store.declare(TypedKey("tls.depth", default: 1))
            store.acceptUncheckedChanges()
            return try Self.value(store.jsonSchema(refusesUnknownKeys: true))
        }
        for schema in [
            try declare(TypedKey("tls", default: [1])), try declare(TypedKey("tls", default: 1)),
            try declare(TypedKey("tls", default: RandomLevel.info)),
            try declare(TypedKey("tls", default: [:] as [String: Int])),
        ] {
            #expect(try JsonSchemaValidator.accepts(Self.value(#"{"tls": {"depth": 3}}"#), schema))
            #expect(try !JsonSchemaValidator.accepts(Self.value(#"{"tls": {"depth": "a"}}"#), schema))
        }
    }

    private struct Proxy: Settings {
        struct Upstream: Settings { @Setting var host = "a" }
        var upstreams: [Upstream] = []
    }

    @Test("The tool finds unknown names in a list that a variable or an argument has as JSON")
    func listInText() throws {
        let store = PropertyStore()
        store.declare(Proxy.self)
        let schema = try Self.value(store.jsonSchema(refusesUnknownKeys: true))
        let loader = CommandLinePropertyLoader(arguments: ["--upstreams", #"[{"host": "b"}, {"hots": "c"}]"#])
        #expect(try Self.tool(schema, loader) == ["upstreams[1].hots at command line --upstreams"])
    }

    @Test("The schema of a random settings type refuses no document that the service accepts")
    func randomTypes() throws {
        var random = SplitMix(state: 35), valid = 0, refused = 0
        var record = SchemaRecord()
        for _ in 0..<max(20, Self.rounds / 10) {
            let type = RandomSettingsType(&random), unknownKeys = Bool.random(using: &random)
            let name = ModelExtra.names(in: .table { type.table }, at: "f").randomElement(using: &random)
            let extra = Bool.random(using: &random) ? name.map { ModelExtra(name: $0, isSecret: false) } : nil
            func store() -> PropertyStore {
                let store = PropertyStore()
                type.declare(in: store, at: "f")
                if let extra { store.declare(TypedKey(extra.name, default: "")) }
                store.acceptUncheckedChanges()
                return store
            }
            let text = store().jsonSchema(refusesUnknownKeys: unknownKeys), schema = try Self.value(text)
            record.begin(text)
            for mistakes in [nil, 8, 20, 60] {
                var documents = RandomDocument(SplitMix(state: random.next()), mistakes: mistakes, extra)
                let value = PropertyValue.table(PropertyTable([("f", documents.document(type.table, at: "f"))]))
                let document = JsonText.text(PropertyNode(value))
                let store = store()
                try store.apply(JsonPropertyLoader(string: document, name: "d.json"))
                let isValid = (try? store.verify(unknownKeys: unknownKeys ? .refused : .ignored)) != nil
                let isAccepted = try JsonSchemaValidator.accepts(Self.value(document), schema)
                record.add(document, isValid: isValid)
                (valid, refused) = (valid + (isValid ? 1 : 0), refused + (isAccepted ? 0 : 1))
                #expect(!isValid || isAccepted, "\(type.type) \(document)\n\(text)")
            }
        }
        try record.write(adding: "-types")
        #expect(valid > 20 && refused > 10)
    }

    /// Returns what the service says of a source, whose unknown names are those that the tool finds.
    private func compared(
        _ keys: RandomKeys, _ schema: PropertyValue, _ loader: any PropertyLoader
    ) throws -> (problems: Int, unknown: Set<String>?) {
        let service = Self.service(keys, loader)
        if keys.refusesUnknownKeys, let unknown = service.unknown {
            let tool = try Self.tool(schema, loader), source = try? loader.load().propertyLayer
            #expect(tool == unknown, "\(source.map { "\($0.table)" } ?? "") \(keys.schema)")
        }
        return service
    }

    @Test(
        "The check of the settings and the start of a service have the same problems, and the schema refuses none without"
    )
    func checkAndStart() async throws {
        var random = SplitMix(state: 36)
        var valid = 0
        for _ in 0..<(Self.rounds / 10) {
            let keys = RandomKeys(&random), unknownKeys = keys.refusesUnknownKeys ? UnknownKeys.refused : .ignored
            let schema = try Self.value(keys.schema)
            for _ in 0..<10 {
                let document = keys.document(&random)
                let loader = JsonPropertyLoader(string: document, name: "d.json")
                let store = PropertyStore(), container = Container()
                for store in [store, container.properties] { keys.declare(in: store) }
                let check = await Self.problems {
                    try await store.start(awaiting: [loader], unknownKeys: unknownKeys)
                }
                let start = await Self.problems { try await container.start([loader], unknownKeys: unknownKeys) }
                #expect(check == start, "\(document)\n\(keys.schema)")
                valid += check.isEmpty ? 1 : 0
                let isAccepted = try JsonSchemaValidator.accepts(Self.value(document), schema)
                #expect(!check.isEmpty || isAccepted, "\(document)\n\(keys.schema)")
            }
        }
        #expect(valid > Self.rounds / 10)
    }

    private static func problems(_ body: () async throws -> Void) async -> [String] {
        do {
            try await body()
            return []
        } catch {
            return ConfigurationErrors([error]).problems.map(\.description)
        }
    }

    /// A source whose values have types.
    private struct Typed: PropertyLoader {
        let table: PropertyTable
        func load() -> PropertyLayer { PropertyLayer(table, source: PropertySource(name: "typed")) }
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
            .append("{\"document\": \(JsonString.quoted(document)), \"service\": \(isValid)}")
    }

    func write(adding suffix: String = "") throws {
        guard let path = ProcessInfo.processInfo.environment["SCHEMA_RECORD"].map({ $0 + suffix }) else { return }
        let texts = groups.map { group in
            "{\"schema\": \(group.schema), \"documents\": [\(group.documents.joined(separator: ",\n"))]}"
        }
        try Data("[\(texts.joined(separator: ",\n"))]\n".utf8).write(to: URL(fileURLWithPath: path))
    }
}
