import Container
import Corpus
import PropertyLoadersEssentials

/// The start of a service, which parses its configuration, merges it and reads ten values.
enum Loading {
    static let text = Document.startToml.text

    static func run() -> Int {
        let store = PropertyStore()
        do {
            try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
        } catch {
            return -1
        }
        let strings: [String?] = [
            store.property("name"), store.property("server.host"), store.property("database.url"),
            store.property("pricing.endpoint"), store.property("logging.level"),
        ]
        let integers: [Int?] = [
            store.property("server.port"), store.property("database.pool.max"), store.property("features.max_items"),
        ]
        let isDebug: Bool? = store.property("debug")
        let timeout: Double? = store.property("server.timeout")
        return strings.compactMap { $0?.count }.reduce(0, +) + integers.compactMap { $0 }.reduce(0, +)
            + (isDebug == true ? 1 : 0) + Int(timeout ?? 0)
    }
}
