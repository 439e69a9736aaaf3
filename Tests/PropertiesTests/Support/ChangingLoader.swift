import Properties
import Synchronization

/// A source whose values a test can change.
final class Changing: PropertyLoader {
    struct Broken: Error {}
    private let name: String
    private let hasFile: Bool
    private let state: Mutex<(table: PropertyTable?, loads: Int)>

    init(_ name: String = "changing", hasFile: Bool = false, _ values: KeyValuePairs<String, PropertyValue> = [:]) {
        (self.name, self.hasFile) = (name, hasFile)
        state = Mutex((PropertyTable(values.map { ($0.key, $0.value) }), 0))
    }

    /// Sets the values. With nil, the loader fails.
    func set(_ values: KeyValuePairs<String, PropertyValue>?) {
        state.withLock { $0.table = values.map { PropertyTable($0.map { ($0.key, $0.value) }) } }
    }

    /// Sets the values.
    func set(_ values: PropertyTable) { state.withLock { $0.table = values } }

    var loads: Int { state.withLock { $0.loads } }

    func load() throws -> PropertyLayer {
        let table = state.withLock { state in
            state.loads += 1
            return state.table
        }
        guard let table else { throw Broken() }
        let source = PropertySource(name: name, identity: name)
        return PropertyLayer(table, source: source, files: hasFile ? ["/tmp/\(name)"] : [])
    }
}
