package import Properties
import SharedState
import Synchronization

/// A source that must be awaited, which a test changes, cuts off and repairs.
package final class Remote: AsyncPropertyLoader {
    package struct Away: Error, CustomStringConvertible {
        package let description = "connection refused"
    }

    private struct State {
        var table = PropertyTable()
        var revision = 1
        var isAway = false
        var loads = 0
        var sequences = 0
        var announced = false
        var changes: AsyncThrowingStream<Void, any Error>.Continuation?
    }
    private let name: String
    private let wait: @Sendable () async -> Void
    private let state = Lock(State())

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - name: its name and identity.
    ///   - values: its values.
    ///   - wait: is called by each load.
    package init(
        _ name: String = "remote", _ values: KeyValuePairs<String, PropertyValue> = [:],
        wait: @escaping @Sendable () async -> Void = {}
    ) {
        (self.name, self.wait) = (name, wait)
        set(values)
    }

    /// The number of loads that were begun.
    package var loads: Int { state.withLock { $0.loads } }
    /// The number of sequences of changes that were begun and have not ended.
    package var sequences: Int { state.withLock { $0.sequences } }

    /// Sets the values without announcing a change.
    package func set(_ values: KeyValuePairs<String, PropertyValue>) {
        state.withLock { state in
            state.revision += 1
            let labels = values.map { "/\($0.key) revision \(state.revision)" }
            let source = PropertySource(name: name, identity: name, labels: labels)
            state.table = PropertyTable(
                entries: values.enumerated().map { index, pair in
                    let origin = PropertyOrigin(source: source, place: UInt32(index))
                    return PropertyTable.Entry(key: pair.key, node: PropertyNode(pair.value, origin: origin))
                })
        }
    }

    /// Announces a change. Before a sequence is begun, its first element is the announcement.
    package func announce() {
        state.withLock { state in
            state.announced = state.changes == nil
            return state.changes
        }?.yield()
    }

    /// Lets loads fail from now on, or repairs them.
    package func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// Ends the sequence of changes, with an error if the source is away.
    package func cut() {
        let (changes, isAway) = state.withLock { state in
            defer { state.changes = nil }
            return (state.changes, state.isAway)
        }
        changes?.finish(throwing: isAway ? Away() : nil)
    }

    package func load() async throws -> PropertyLayer {
        state.withLock { $0.loads += 1 }
        await wait()
        return try state.withLock { state in
            if state.isAway { throw Away() }
            return PropertyLayer(
                state.table, source: PropertySource(name: name, identity: name), spelling: .exact)
        }
    }

    package var changes: some AsyncSequence<Void, any Error> {
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
        state.withLock { state in
            state.sequences += 1
            state.changes = continuation
            if state.announced { continuation.yield() }
            state.announced = false
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.sequences -= 1 } }
        return changes
    }
}

/// A door at which tasks wait until it is opened, whether they are cancelled or not.
package final class Door: Sendable {
    private let opening: AsyncStream<Void>.Continuation
    private let isOpen: Task<Void, Never>

    package init() {
        let (openings, opening) = AsyncStream.makeStream(of: Void.self)
        self.opening = opening
        isOpen = Task { for await _ in openings { return } }
    }

    /// Waits until the door is open.
    package func pass() async { await isOpen.value }

    /// Opens the door.
    package func open() { opening.yield() }
}
