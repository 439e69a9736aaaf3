import SharedState
import Synchronization

/// The properties that one construction has read, with the nodes that it found, also of names that no source has.
///
/// `PropertyStore(recording:of:)` records them. What reads a setting decides what depends on it, so nothing has to be
/// declared a second time.
package final class RecordedReads: Sendable {
    private let state = Lock(State())

    private struct State {
        var isOn = true
        var reads: [Read] = []
    }

    struct Read: Sendable {
        /// The name, or nil for all properties.
        let key: PropertyKey?
        let node: PropertyNode?
    }

    package init() {}

    var all: [Read] { state.withLock { $0.reads } }

    /// Records the read of a property or table, or of all properties for nil.
    ///
    /// - Returns: its node, or nil if there is none.
    @discardableResult
    func add(_ key: PropertyKey?, in merged: MergedState) -> PropertyNode? {
        let read = Read(key: key, node: merged.node(read: key))
        state.withLock { state in
            if state.isOn { state.reads.append(read) }
        }
        return read.node
    }

    /// Ends the recording.
    func stop() { state.withLock { $0.isOn = false } }
}

extension MergedState {
    /// Returns the node of a name, or all properties as a table for nil.
    func node(read key: PropertyKey?) -> PropertyNode? { key.map { node($0) } ?? PropertyNode(.table(names.root)) }
}

extension PropertyStore {
    /// Creates a store that records its reads. It has the properties of another store, and passes changes on to it.
    ///
    /// - Parameters:
    ///   - reads: the record.
    ///   - store: the other store.
    package convenience init(recording reads: RecordedReads, of store: PropertyStore) {
        self.init(parent: store, reads: reads)
    }

    /// The store whose properties this one has: itself, or another one for which it records reads.
    var target: PropertyStore { reads == nil ? self : parent ?? self }
}
