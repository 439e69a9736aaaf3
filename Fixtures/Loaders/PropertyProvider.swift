import Configuration
import ServiceHost

struct PropertyProvider: ConfigProvider {
    let properties: PropertyStore
    var providerName: String { "PropertyProvider" }

    func snapshot() -> any ConfigSnapshot { PropertyConfigSnapshot(properties: properties.snapshot) }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try snapshot().value(forKey: key, type: type)
    }

    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    nonisolated(nonsending) func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>)
            async throws -> Return
    ) async throws -> Return {
        let values = Updates(changes: properties.changes(under: key.name)) {
            Result { try value(forKey: key, type: type) }
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(values))
    }

    nonisolated(nonsending) func watchSnapshot<Return: ~Copyable>(
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>)
            async throws -> Return
    ) async throws -> Return {
        let snapshots = Updates(changes: properties.changes()) { snapshot() }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots))
    }
}

/// The current value, and then a new one after each change.
struct Updates<Element: Sendable>: AsyncSequence, Sendable {
    let changes: PropertyChanges<[PropertyEntry], [PropertyChange<PropertyEntry>]>
    let read: @Sendable () -> Element

    func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), read: read) }

    struct Iterator: AsyncIteratorProtocol {
        var changes: PropertyChanges<[PropertyEntry], [PropertyChange<PropertyEntry>]>.Iterator
        let read: @Sendable () -> Element
        var isFirst = true

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            if !isFirst, await changes.next(isolation: actor) == nil { return nil }
            isFirst = false
            return read()
        }
    }
}

struct PropertyConfigSnapshot: ConfigSnapshot {
    let properties: PropertySnapshot
    var providerName: String { "PropertyProvider" }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.name
        let content: ConfigContent? =
            switch type {
            case .string: try read(name) { .string($0) }
            case .int: try read(name) { .int($0) }
            case .double: try read(name) { .double($0) }
            case .bool: try read(name) { .bool($0) }
            case .bytes: try read(name) { .bytes($0) }
            case .stringArray: try read(name) { .stringArray($0) }
            case .intArray: try read(name) { .intArray($0) }
            case .doubleArray: try read(name) { .doubleArray($0) }
            case .boolArray: try read(name) { .boolArray($0) }
            case .byteChunkArray: try read(name) { .byteChunkArray($0) }
            }
        let isSecret = properties.isSecret(name)
        return LookupResult(encodedKey: name, value: content.map { ConfigValue($0, isSecret: isSecret) })
    }

    private func read<T>(_ name: String, _ content: (T) -> ConfigContent) throws -> ConfigContent? {
        if let value = try properties.property(name, default: nil as T?) { return content(value) }
        // No source has the name: use the default of a declared setting, with the same conversions.
        guard let entry = properties.values.first(where: { $0.name == name }) else { return nil }
        let defaults = PropertyStore()
        try defaults.apply(Default(entry: entry))
        return try defaults.property(name, default: nil as T?).map(content)
    }

    private struct Default: PropertyLoader {
        let entry: PropertyEntry
        func load() -> PropertyLayer {
            PropertyLayer(PropertyTable(entries: [PropertyTable.Entry(key: entry.name, node: entry.node)]))
        }
    }
}

extension AbsoluteConfigKey {
    /// The flat name of the property.
    var name: String { components.joined(separator: ".") }
}
