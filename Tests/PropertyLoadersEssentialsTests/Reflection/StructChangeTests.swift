import PropertyLoadersEssentials
import Synchronization
import Testing

@Suite("Changes in a Swift value that is loaded again")
struct StructChangeTests {
    private enum Mode: Sendable { case off, on }

    private struct Server: Sendable {
        var host = "a"
    }

    private final class Node: Sendable {}

    /// Returns the layer of the next value at each load.
    private final class Rounds: PropertyLoader {
        private let layers: Mutex<ArraySlice<PropertyLayer>>

        init(_ values: [Any]) throws {
            layers = Mutex(
                try values.map { try StructPropertyLoader(unchecked: ["x": $0] as [String: Any], name: "x").load() }[
                    ...])
        }

        func load() throws -> PropertyLayer { layers.withLock { $0.removeFirst() } }
    }

    /// Returns whether a reload from the first value to the second is reported as a change.
    private func isChange(_ old: Any, _ new: Any) async throws -> Bool {
        let store = PropertyStore()
        try store.apply(Rounds([old, new]))
        var changes = store.changes().makeAsyncIterator()
        try store.reload()
        // This change is always reported, so that the test never waits for a change that does not come.
        try store.apply(StructPropertyLoader(["end": 1]))
        return try #require(await changes.next()).contains { $0.name.hasPrefix("x") }
    }

    @Test("An Equatable value has changed if it is not equal")
    func equatable() async throws {
        #expect(try await !isChange([Mode.off, .on], [Mode.off, .on]))
        #expect(try await isChange([Mode.off], [Mode.on]))
        #expect(try await isChange([Mode.off], Set([Mode.off])))
    }

    @Test("A value that is not Equatable has always changed, unless it is the same instance of a class")
    func others() async throws {
        let node = Node()
        #expect(try await !isChange(node, node))
        #expect(try await isChange(node, Node()))
        #expect(try await isChange([Server()], [Server()]))
        #expect(try await isChange([Server()], [Server(host: "b")]))
    }
}
