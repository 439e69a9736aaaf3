import Configuration
import ServiceHost

/// The values that a provider of swift-configuration has for some names. A provider does not list its keys.
struct ProviderLoader: AsyncPropertyLoader {
    let provider: any ConfigProvider
    let names: [String]

    func load() async throws -> PropertyLayer {
        let name = provider.providerName
        let open = PropertySource(name: name, identity: name)
        let secret = PropertySource(name: name, identity: name, isSecret: true)
        var entries: [PropertyTable.Entry] = []
        for name in names {
            guard let found = try await value(of: name) else { continue }
            let origin = PropertyOrigin(source: found.isSecret ? secret : open)
            entries.append(
                PropertyTable.Entry(key: name, node: PropertyNode(found.content.propertyValue, origin: origin)))
        }
        return PropertyLayer(PropertyTable(entries: entries), source: open)
    }

    /// Delivers an element for the current values, too, so that no change since the load is lost.
    var changes: AsyncThrowingStream<Void, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await provider.watchSnapshot { snapshots in
                        for await _ in snapshots { continuation.yield() }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns the value with the first type that it has: a provider throws an error if a value is of another type.
    private func value(of name: String) async throws -> ConfigValue? {
        let key = AbsoluteConfigKey(name.split(separator: ".").map(String.init))
        var failure: (any Error)?
        let types: [ConfigType] = [
            .string, .int, .double, .bool, .stringArray, .intArray, .doubleArray, .boolArray, .bytes, .byteChunkArray,
        ]
        for type in types {
            do {
                return try await provider.fetchValue(forKey: key, type: type).value
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }
}

extension ConfigContent {
    /// The content as the value of a property. A string converts like text of the environment.
    fileprivate var propertyValue: PropertyValue {
        func array<T>(_ values: [T], _ value: (T) -> PropertyValue) -> PropertyValue {
            .array(values.map { PropertyNode(value($0)) })
        }
        return switch self {
        case .string(let text): .text(text)
        case .int(let number): .integer(Int64(number))
        case .double(let number): .double(number)
        case .bool(let flag): .bool(flag)
        case .bytes(let bytes): .data(bytes)
        case .stringArray(let texts): array(texts) { .text($0) }
        case .intArray(let numbers): array(numbers) { .integer(Int64($0)) }
        case .doubleArray(let numbers): array(numbers) { .double($0) }
        case .boolArray(let flags): array(flags) { .bool($0) }
        case .byteChunkArray(let chunks): array(chunks) { .data($0) }
        }
    }
}
