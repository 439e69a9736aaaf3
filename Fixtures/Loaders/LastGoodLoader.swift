import Foundation
import PropertyLoaders
import Synchronization

/// Reads etcd or, until etcd has been reached, a file of the last good values.
final class LastGoodLoader: AsyncPropertyLoader {
    private let etcd: EtcdPropertyLoader
    private let file: URL
    private let wasReached = Mutex(false)

    init(_ etcd: EtcdPropertyLoader, file: URL) { (self.etcd, self.file) = (etcd, file) }

    func load() async throws -> PropertyLayer {
        do {
            let layer = try await etcd.load()
            wasReached.withLock { $0 = true }
            return layer
        } catch {
            guard !wasReached.withLock({ $0 }), let data = try? Data(contentsOf: file) else { throw error }
            let values = try JSONDecoder().decode([String: String].self, from: data)
            return PropertyLayer(
                PropertyTable(values.map { ($0.key, .text($0.value)) }), source: PropertySource(name: file.path))
        }
    }

    var changes: some AsyncSequence<Void, any Error> { etcd.changes }

    /// Writes the values in force that are from etcd. `onReload` calls it, so they have passed all checks.
    func save(_ properties: PropertyStore) {
        let pairs = properties.entries.compactMap { entry -> (String, String)? in
            guard entry.node.origin.source.name == "etcd", case .text(let text) = entry.node.value else { return nil }
            return (entry.name, text)
        }
        if pairs.isEmpty { return }
        try? JSONEncoder().encode(Dictionary(pairs) { $1 }).write(to: file, options: .atomic)
    }
}
