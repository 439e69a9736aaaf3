import Foundation
import Properties

/// A loader that returns the values it was created with, like a user's custom loader.
struct Given: PropertyLoader {
    var name: String
    var table: PropertyTable

    init(_ values: KeyValuePairs<String, PropertyValue>) { self.init("given", values) }

    init(_ name: String, _ values: KeyValuePairs<String, PropertyValue>) {
        self.name = name
        table = PropertyTable(values.map { ($0.key, $0.value) })
    }

    func load() -> PropertyLayer { PropertyLayer(table, source: PropertySource(name: name, identity: name)) }
}

extension PropertyStore {
    /// Creates a store and applies the sources in order.
    convenience init(sources: any PropertyLoader...) throws {
        self.init()
        onWrongValue { _ in }
        for source in sources { try apply(source) }
    }

    /// All properties as `name=value (origin)`, sorted.
    var listing: [String] { entries.map { "\($0.name)=\($0.valueText) (\($0.node.origin))" } }

    /// All properties as `name=value`, sorted.
    var values: [String] { entries.map { "\($0.name)=\($0.valueText)" } }
}

/// A temporary directory for one test, which is removed when the object is freed.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "services-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }

    /// Writes a file in place, creating its directory if necessary.
    @discardableResult
    func write(_ text: String, to name: String) throws -> URL {
        try FileManager.default.createDirectory(
            at: file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file(name))
        return file(name)
    }
}
