import Dispatch
import Foundation
import Properties
import Synchronization
import TestSupport
import Testing

@Suite("Readers see complete states, and replaced states are freed")
struct PublishedStateTests {
    @Test("Readers that only copy a value keep their state alive while a writer replaces it all the time")
    func copyRace() throws {
        let store = PropertyStore()
        try store.apply(Literal("numbers", ["x": 1]))
        let reads = Atomic(0), isDone = Atomic(false)
        // Dedicated threads, more of them than a small machine has processors: the race needs a reader that is
        // preempted between two instructions.
        let readers = DispatchGroup()
        for _ in 0..<5 {
            readers.enter()
            Thread.detachNewThread {
                repeat {
                    let missing: Float? = store.property("missing")
                    if missing == nil { reads.add(1, ordering: .relaxed) }
                } while !isDone.load(ordering: .relaxed)
                readers.leave()
            }
        }
        for number in 1...Self.rounds { try store.apply(Literal("numbers", ["x": .integer(Int64(number))])) }
        isDone.store(true, ordering: .relaxed)
        readers.wait()
        #expect(reads.load(ordering: .relaxed) >= 5)
        #expect(store.property("x") == Self.rounds)
    }

    // The race appears only in optimized code. A debug build runs fewer rounds to save time.
    #if DEBUG
        private static let rounds = 2_000
    #else
        private static let rounds = 100_000
    #endif

    private final class Held: Sendable {
        static let alive = Atomic(0)
        init() { Self.alive.add(1, ordering: .relaxed) }
        deinit { Self.alive.subtract(1, ordering: .relaxed) }
    }

    private struct Holding: PropertyLoader {
        func load() -> PropertyLayer {
            var layer: PropertyLayer = ["held": .opaque(OpaqueValue(Held())), "x": 1]
            layer.source = PropertySource(name: "holding", identity: "holding")
            return layer
        }
    }

    @Test("Applying a source again frees its earlier values at once")
    func freed() throws {
        let store = PropertyStore()
        let child = PropertyStore(parent: store)
        try child.apply(Literal("child", ["y": 1]))
        for _ in 0..<200 {
            try store.apply(Holding())
            #expect(child.property("x") == 1)
        }
        #expect(Held.alive.load(ordering: .relaxed) == 1)
    }

    @Test("The deinitializer of a value can read and change the store, because it runs without a lock")
    func deinitReads() throws {
        let store = PropertyStore()
        try store.apply(Noting(store: store, seen: Noting.Seen()))
        let seen = Noting.Seen()
        try store.apply(Noting(store: store, seen: seen))
        try store.apply(Noting(store: store, seen: Noting.Seen()))
        #expect(seen.count.load(ordering: .relaxed) == 1)
    }

    private struct Noting: PropertyLoader {
        final class Seen: Sendable { let count = Atomic(0) }

        final class Value: Sendable {
            let store: PropertyStore
            let seen: Seen
            init(_ store: PropertyStore, _ seen: Seen) { (self.store, self.seen) = (store, seen) }
            deinit {
                if store.property("x") == 1 { seen.count.add(1, ordering: .relaxed) }
                try? store.apply(Literal("from deinit", ["z": 1]))
            }
        }

        let store: PropertyStore
        let seen: Seen
        func load() -> PropertyLayer {
            var layer: PropertyLayer = ["value": .opaque(OpaqueValue(Value(store, seen))), "x": 1]
            layer.source = PropertySource(name: "noting", identity: "noting")
            return layer
        }
    }
}

@Suite("Concurrent reads see only states that were applied")
struct ThreadTests {
    /// A source whose values all contain the same number, so that a mix of two states is noticed.
    private struct State: PropertyLoader {
        let level: String
        let number: Int64

        func load() -> PropertyLayer {
            let pairs: [(String, PropertyValue)] = [
                ("own_\(level)", .integer(number)), ("shared", ["a": .integer(number), "b": .integer(number)]),
                (level, ["first": .integer(number), "text": .string("\(number)"), "last": .integer(number)]),
                // Too long for the inline storage of a `String`, so it has a buffer of its own. If a reader retained
                // the buffer too late, it would already be freed.
                ("long", .string("long enough to have memory of its own: \(number)")),
            ]
            return PropertyLayer(PropertyTable(pairs), source: PropertySource(name: level))
        }
    }

    private static let rounds = LongRun.rounds(60)

    @Test("Four readers never see a mix of two states while one thread changes each of three levels")
    func threeLevels() throws {
        let top = PropertyStore()
        let middle = PropertyStore(parent: top)
        let bottom = PropertyStore(parent: PropertyStore(parent: middle))
        let stores = [("top", top), ("middle", middle), ("bottom", bottom)]
        for (level, store) in stores { try store.apply(State(level: level, number: 0)) }
        let mixed = Atomic(0), backwards = Atomic(0), writers = Atomic(3)
        DispatchQueue.concurrentPerform(iterations: 7) { thread in
            if thread < 3 {
                for number in 1...Self.rounds {
                    try? stores[thread].1.apply(State(level: stores[thread].0, number: Int64(number)))
                }
                writers.subtract(1, ordering: .relaxed)
                return
            }
            var latest = [0, 0, 0]
            while writers.load(ordering: .relaxed) > 0 {
                for (index, (level, _)) in stores.enumerated() {
                    let table: [String: Any] = bottom.property(level) ?? [:]
                    let first = table["first"] as? Int, text = table["text"] as? String
                    if first == nil || first != table["last"] as? Int || text != first.map(String.init) {
                        mixed.add(1, ordering: .relaxed)
                    }
                    let own: Int = bottom.property("own_\(level)") ?? -1
                    if own < latest[index] { backwards.add(1, ordering: .relaxed) }
                    latest[index] = own
                }
                let shared: [String: Int] = bottom.property("shared") ?? [:]
                if (bottom.property("long") ?? "").count < 40 { mixed.add(1, ordering: .relaxed) }
                if shared["a"] == nil || shared["a"] != shared["b"] { mixed.add(1, ordering: .relaxed) }
            }
        }
        #expect(mixed.load(ordering: .relaxed) == 0)
        #expect(backwards.load(ordering: .relaxed) == 0)
        #expect(bottom.property("own_top") == Self.rounds)
        #expect(bottom.property("middle.text") == "\(Self.rounds)")
        #expect(bottom.property("shared.a") == Self.rounds)
    }
}
