import Container
import Measuring
import PropertyLoadersEssentials
import Synchronization

/// The start of a service.
enum Loading {
    /// Loads a configuration into a store, and reads ten values.
    static func store(_ loader: some PropertyLoader) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(loader)
        for name in ["name", "server.host", "database.url", "pricing.endpoint", "logging.level"] {
            keep(store.property(name) as String?)
        }
        for name in ["server.port", "database.pool.max", "features.max_items"] { keep(store.property(name) as Int?) }
        keep(store.property("debug") as Bool?)
        keep(store.property("server.timeout") as Double?)
        return store
    }
}

/// A TOML text with many keys. One key has another value each time that the text is loaded.
final class Keys: PropertyLoader, Sendable {
    private let texts: [String]
    private let loads = Atomic(0)

    init(count: Int) {
        let sections = (0..<count / 100).map { section in
            "[service.section\(section)]\n" + (0..<100).map { "setting_\($0) = \(section * 100 + $0)\n" }.joined()
        }
        texts = (0..<2).map { "version = \($0)\n" + sections.joined() }
    }

    func load() throws -> PropertyLayer {
        let number = loads.add(1, ordering: .relaxed).newValue
        return try TomlPropertyLoader(string: texts[number % texts.count], name: "keys.toml").load()
    }

    /// Loads the text into a new store.
    func store() throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(self)
        return store
    }
}
