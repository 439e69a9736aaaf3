import Dispatch
import Foundation
import Properties
import Synchronization
import Testing

@Suite("Reads take no lock, and what is replaced is freed")
struct AtomicReferenceTests {
    private final class Box: Sendable {
        static let alive = Atomic(0)
        let one: Int, other: Int

        init(_ number: Int) {
            (one, other) = (number, -number)
            Self.alive.add(1, ordering: .relaxed)
        }

        deinit { Self.alive.subtract(1, ordering: .relaxed) }
    }

    @Test("Readers see whole objects while writers replace them, and no object outlives its turn")
    func stress() {
        do {
            let published = AtomicReference(Box(0))
            let wrong = Atomic(0), reads = Atomic(0), isDone = Atomic(false)
            DispatchQueue.concurrentPerform(iterations: 6) { thread in
                if thread < 2 {
                    for number in 1...10_000 { _ = published.exchange(Box(number * 2 + thread)) }
                    isDone.store(true, ordering: .relaxed)
                    return
                }
                repeat {
                    let box = published.copy()
                    let isWhole = box.map { $0.one == -$0.other } == true
                    if !isWhole || published.withCurrent({ $0.one == -$0.other }) != true {
                        wrong.add(1, ordering: .relaxed)
                    }
                    reads.add(1, ordering: .relaxed)
                } while !isDone.load(ordering: .relaxed)
            }
            #expect(wrong.load(ordering: .relaxed) == 0)
            #expect(reads.load(ordering: .relaxed) >= 4)
            #expect(Box.alive.load(ordering: .relaxed) == 1)
        }
        #expect(Box.alive.load(ordering: .relaxed) == 0)
    }

    @Test("A read that copies and does nothing else holds its state, though others replace it all the time")
    func copyRace() throws {
        let store = PropertyStore()
        try store.apply(Literal("numbers", ["x": 1]))
        let reads = Atomic(0), isDone = Atomic(false)
        // Threads of their own, and more than processors: a reader has to lose its own between two instructions.
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

    // What it looks for is made by the optimizer; without it, it takes time alone.
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

    @Test("Applying a source again frees what it said before, at once")
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

    @Test("A value that reads the store when it goes away does so under no lock")
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

@Suite("References counted ahead keep nothing alive")
struct ReserveTests {
    /// Counts itself, in a counter of its test.
    private final class Counted: Sendable {
        let alive: Count
        let one: Int, other: Int

        init(_ number: Int, _ alive: Count) {
            (one, other, self.alive) = (number, -number, alive)
            alive.number.add(1, ordering: .relaxed)
        }

        deinit { alive.number.subtract(1, ordering: .relaxed) }
    }

    private final class Count: Sendable { let number = Atomic(0) }

    private static func take(_ reference: borrowing AtomicReference<AnyObject>) -> Counted? {
        unsafe Reserve.take(from: reference.address)?.takeRetainedValue() as? Counted
    }

    @Test("What is replaced is freed at once, though threads that live on, or have ended, have references ahead")
    func freed() {
        let alive = Count()
        let reference = AtomicReference<AnyObject>(Counted(1, alive))
        let (taken, isOver, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        for waits in [true, true, false] {
            ended.enter()
            let thread = Thread {
                #expect(Self.take(reference)?.one == 1)
                taken.signal()
                if waits { isOver.wait() }
                ended.leave()
            }
            thread.start()
        }
        for _ in 0..<3 { taken.wait() }
        #expect(Self.take(reference)?.one == 1)
        _ = reference.exchange(Counted(2, alive))
        #expect(alive.number.load(ordering: .relaxed) == 1)
        #expect(Self.take(reference)?.one == 2)
        _ = reference.exchange(nil)
        #expect(alive.number.load(ordering: .relaxed) == 0)
        #expect(Self.take(reference) == nil)
        for _ in 0..<2 { isOver.signal() }
        ended.wait()
    }

    @Test("What its owner lets go of when it goes away itself is freed too")
    func freedWithOwner() {
        let alive = Count()
        do {
            let reference = AtomicReference<AnyObject>(Counted(1, alive))
            #expect(Self.take(reference)?.one == 1)
        }
        #expect(alive.number.load(ordering: .relaxed) == 0)
    }

    private final class Many: Sendable {
        let references: [Held]
        init(_ count: Int, _ alive: Count) { references = (0..<count).map { Held(Counted($0, alive)) } }

        var takenThrice: [Counted?] {
            references.flatMap { held in (0..<3).map { _ in ReserveTests.take(held.reference) } }
        }

        final class Held: Sendable {
            let reference: AtomicReference<AnyObject>
            init(_ object: AnyObject) { reference = AtomicReference(object) }
        }
    }

    @Test("More objects than a thread has reserves, asked for in turn, in runs and again")
    func collisions() {
        let alive = Count()
        do {
            let many = Many(50, alive)
            for run in [1, 2, 40] {
                for _ in 0..<40 {
                    for (number, held) in many.references.enumerated() {
                        for _ in 0..<run { #expect(Self.take(held.reference)?.one == number) }
                    }
                }
            }
            #expect(alive.number.load(ordering: .relaxed) == 50)
            for held in many.references { _ = held.reference.exchange(nil) }
            #expect(alive.number.load(ordering: .relaxed) == 0)
        }
    }

    @Test("Readers take whole objects while writers replace them, and no object outlives its turn")
    func stress() {
        let alive = Count(), wrong = Atomic(0), reads = Atomic(0), writers = Atomic(2)
        let many = Many(12, alive)
        // Threads of their own, and more than processors: one has to lose its own between two instructions.
        let threads = DispatchGroup()
        for thread in 0..<6 {
            threads.enter()
            Thread.detachNewThread {
                if thread < 2 {
                    for number in 1...Self.rounds {
                        _ = many.references[number % 12].reference.exchange(Counted(number, alive))
                    }
                    writers.subtract(1, ordering: .relaxed)
                } else {
                    repeat {
                        let isWhole = many.takenThrice.allSatisfy { $0.map { $0.one == -$0.other } == true }
                        if !isWhole { wrong.add(1, ordering: .relaxed) }
                        reads.add(1, ordering: .relaxed)
                    } while writers.load(ordering: .relaxed) > 0
                }
                threads.leave()
            }
        }
        threads.wait()
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(reads.load(ordering: .relaxed) >= 4)
        #expect(alive.number.load(ordering: .relaxed) == 12)
        for held in many.references { _ = held.reference.exchange(nil) }
        #expect(alive.number.load(ordering: .relaxed) == 0)
    }

    @Test("An object that two references have lives while one of them lets go of it and takes it again")
    func shared() {
        let alive = Count(), isDone = Atomic(false), wrong = Atomic(0)
        let object = Counted(1, alive)
        let (kept, replaced) = (Many.Held(object), Many.Held(object))
        let threads = DispatchGroup()
        for _ in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                repeat {
                    for _ in 0..<100 where Self.take(kept.reference)?.other != -1 { wrong.add(1, ordering: .relaxed) }
                } while !isDone.load(ordering: .relaxed)
                threads.leave()
            }
        }
        for _ in 1...Self.rounds * 10 { _ = replaced.reference.exchange(object) }
        isDone.store(true, ordering: .relaxed)
        threads.wait()
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(alive.number.load(ordering: .relaxed) == 1)
    }

    /// Counts itself where it goes away on a thread that is in the middle of taking a reference.
    private final class Leaving: Sendable {
        let foreign: Count
        init(_ foreign: Count) { self.foreign = foreign }
        deinit { if Self.isTaking { foreign.number.add(1, ordering: .relaxed) } }

        static var isTaking: Bool {
            get { Thread.current.threadDictionary["isTaking"] as? Bool == true }
            set { Thread.current.threadDictionary["isTaking"] = newValue }
        }
    }

    @Test("Taking a reference to one object runs the deinit of no other")
    func foreignDeinit() {
        let foreign = Count(), isDone = Atomic(false)
        let references = (0..<40).map { _ in Many.Held(Leaving(foreign)) }
        let threads = DispatchGroup()
        for _ in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                repeat {
                    for held in references {
                        Leaving.isTaking = true
                        let taken = unsafe Reserve.take(from: held.reference.address)
                        Leaving.isTaking = false
                        unsafe taken?.release()
                    }
                } while !isDone.load(ordering: .relaxed)
                threads.leave()
            }
        }
        for number in 1...Self.rounds * 30 { _ = references[number % 40].reference.exchange(Leaving(foreign)) }
        isDone.store(true, ordering: .relaxed)
        threads.wait()
        #expect(foreign.number.load(ordering: .relaxed) == 0)
    }

    #if DEBUG
        private static let rounds = 5_000
    #else
        private static let rounds = 100_000
    #endif
}

@Suite("Threads: every read sees a state that was applied")
struct ThreadTests {
    /// A source whose values all say one number.
    private struct State: PropertyLoader {
        let level: String
        let number: Int64

        func load() -> PropertyLayer {
            let pairs: [(String, PropertyValue)] = [
                ("own_\(level)", .integer(number)), ("shared", ["a": .integer(number), "b": .integer(number)]),
                (level, ["first": .integer(number), "text": .string("\(number)"), "last": .integer(number)]),
                // Longer than a string holds without memory of its own, which a late retain would find freed.
                ("long", .string("long enough to have memory of its own: \(number)")),
            ]
            return PropertyLayer(PropertyTable(pairs), source: PropertySource(name: level))
        }
    }

    @Test("Three levels, each changed by a thread of its own while four read, never show a mix of two states")
    func threeLevels() throws {
        let top = PropertyStore()
        let middle = PropertyStore(parent: top)
        let bottom = PropertyStore(parent: PropertyStore(parent: middle))
        let stores = [("top", top), ("middle", middle), ("bottom", bottom)]
        for (level, store) in stores { try store.apply(State(level: level, number: 0)) }
        let mixed = Atomic(0), backwards = Atomic(0), writers = Atomic(3)
        DispatchQueue.concurrentPerform(iterations: 7) { thread in
            if thread < 3 {
                for number in 1...300 {
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
        #expect(bottom.property("own_top") == 300)
        #expect(bottom.property("middle.text") == "300")
        #expect(bottom.property("shared.a") == 300)
    }
}
