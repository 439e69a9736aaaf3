import Configuration
import Corpus
import Measuring
import PropertyLoadersEssentials
import TOMLKit

/// The start of a service, which loads its configuration into a store and reads ten values.
enum Start {
    static func toml() throws {
        try read { try $0.apply(TomlPropertyLoader(string: Document.startToml.text, name: "config.toml")) }
    }

    static func json() throws {
        try read { try $0.apply(JsonPropertyLoader(string: Document.startJson.text, name: "config.json")) }
    }

    private static func read(_ load: (PropertyStore) throws -> Void) throws {
        let store = PropertyStore()
        try load(store)
        for name in ["name", "server.host", "database.url", "pricing.endpoint", "logging.level"] {
            keep(store.property(name) as String?)
        }
        for name in ["server.port", "database.pool.max", "features.max_items"] { keep(store.property(name) as Int?) }
        keep(store.property("debug") as Bool?)
        keep(store.property("server.timeout") as Double?)
    }
}

/// Compares loading and ten reads with the time that the peers need for parsing the same text.
func starting() throws {
    var kit = Comparison("load/TOMLKit parse", target: 1.6)
    var configuration = Comparison("load/JSONSnapshot", target: 2.7)
    table("Load into a store, read ten values", [kit, configuration])
    let toml = Document.startToml.text
    let json = Array(Document.startJson.text.utf8)
    row(
        Document.startToml.name,
        [
            try kit.measure(Start.toml) { keep(try TOMLTable(string: toml)) },
            try configuration.measure(Start.json) {
                keep(try JSONSnapshot(data: json.span.bytes, providerName: "config.json", parsingOptions: .default))
            },
        ])
    conclude([kit, configuration])
}

/// Compares loading and binding a type with the decoder of a peer.
func binding() throws {
    var kit = Comparison("TOMLDecoder (TOMLKit)", target: 2.2)
    table("Load into a store, bind a type", [kit])
    let toml = Document.startToml.text
    let ratio = try kit.measure {
        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(string: toml, name: "config.toml"))
        keep(try store.bind(StartConfiguration.self))
    } _: {
        keep(try TOMLDecoder().decode(StartConfiguration.self, from: toml))
    }
    row(Document.startToml.name, [ratio])
    conclude([kit])
}

/// Compares reads of 10,000 integers in a random order, by keys that were created before.
func reading() throws {
    let paths = (0..<10_000).map { ["service", "section\($0 / 100)", "setting_\($0 % 100)"] }.shuffled()
    let store = PropertyStore()
    try store.apply(Settings(paths: paths))
    let keys = paths.map { PropertyKey($0.joined(separator: ".")) }
    let values = paths.enumerated().map { (AbsoluteConfigKey($1), ConfigValue(.int($0), isSecret: false)) }
    let reader = ConfigReader(
        provider: InMemoryProvider(values: Dictionary(values) { first, _ in first }))
    let peerKeys = paths.map { ConfigKey($0) }
    var configuration = Comparison("swift-configuration", target: 8)
    table("Read an Int by its key", [configuration])
    let ratio = configuration.measure {
        var sum = 0
        for key in keys { sum &+= store.property(key) ?? 0 }
        keep(sum)
    } _: {
        var sum = 0
        for key in peerKeys { sum &+= reader.int(forKey: key) ?? 0 }
        keep(sum)
    }
    row("10,000 keys", [ratio])
    conclude([configuration])
}

private struct Settings: PropertyLoader {
    let paths: [[String]]

    func load() -> PropertyLayer {
        var sections: [String: [(String, PropertyValue)]] = [:]
        for (number, path) in paths.enumerated() {
            sections[path[1], default: []].append((path[2], .integer(Int64(number))))
        }
        return ["service": .table(PropertyTable(sections.map { ($0, .table(PropertyTable($1))) }))]
    }
}
