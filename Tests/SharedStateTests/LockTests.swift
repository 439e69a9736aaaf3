import Dispatch
import Foundation
import SharedState
import Synchronization
import Testing

/// Counts how many of its kind are released, and how often a `deinit` has run under a lock.
private final class Tracked: Sendable {
    let released: Atomic<Int>.Box
    init(_ released: Atomic<Int>.Box) { self.released = released }
    deinit { released.add() }
}

extension Atomic where Value == Int {
    fileprivate final class Box: Sendable {
        private let value = Atomic<Int>(0)
        var count: Int { value.load(ordering: .sequentiallyConsistent) }
        func add() { value.add(1, ordering: .sequentiallyConsistent) }
    }
}

@Suite("Locks: one thread at a time, and values that are released once")
struct LockTests {
    @Test("A guarded value loses no change of several threads")
    func exclusive() {
        let value = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { value.withLock { $0 += 1 } }
        }
        #expect(value.withLock { $0 } == 8000)
    }

    @Test("A lock is free again after its closure has thrown")
    func throwing() {
        struct Failure: Error {}
        let value = Guarded(1)
        #expect(throws: Failure.self) { try value.withLock { _ in throw Failure() } }
        #expect(value.withLock { $0 } == 1)
    }

    @Test("A lock releases its value when it is released, and what was swapped out of it where the caller does")
    func release() {
        let released = Atomic<Int>.Box()
        do {
            let value = Guarded<Tracked?>(Tracked(released))
            var other: Tracked? = Tracked(released)
            value.withLock { swap(&$0, &other) }
            #expect(released.count == 0)
            other = nil
            #expect(released.count == 1)
        }
        #expect(released.count == 2)
    }

    @Test("A striped lock releases its value once, with any number of stripes", arguments: [1, 2, 16])
    func striped(_ stripes: Int) {
        final class Owner: Sendable {
            let lock: StripedLock<[Tracked]>
            init(_ value: sending [Tracked], _ stripes: Int) { lock = StripedLock(value, stripes: stripes) }
        }
        let released = Atomic<Int>.Box()
        do {
            let owner = Owner([Tracked(released)], stripes)
            owner.lock.withWrite { $0.append(Tracked(released)) }
            #expect(owner.lock.withRead { $0.count } == 2)
            let former = owner.lock.withWrite { value in
                defer { value = [] }
                return value
            }
            #expect(released.count == 0)
            withExtendedLifetime(former) {}
            owner.lock.withWrite { $0 = [Tracked(released)] }
        }
        #expect(released.count == 3)
    }

    @Test("Readers of a striped lock run at the same time as each other, and never as a writer")
    func readersAndWriters() {
        final class Owner: Sendable {
            let lock = StripedLock(0, stripes: 4)
        }
        let owner = Owner(), writers = Atomic(0), wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<500 {
                if thread < 2 {
                    owner.lock.withWrite { value in
                        if writers.add(1, ordering: .sequentiallyConsistent).newValue != 1 {
                            wrong.add(1, ordering: .relaxed)
                        }
                        value += 1
                        writers.subtract(1, ordering: .sequentiallyConsistent)
                    }
                } else {
                    owner.lock.withRead { _ in
                        if writers.load(ordering: .sequentiallyConsistent) != 0 { wrong.add(1, ordering: .relaxed) }
                    }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(owner.lock.value == 1000)
    }
}

@Suite("Thread-local objects")
struct ThreadLocalTests {
    private enum First { static let key = Atomic<UInt>(0) }
    private enum Second { static let key = Atomic<UInt>(0) }
    private enum Late { static let key = Atomic<UInt>(0) }

    /// Runs a closure on a new thread, and waits until that thread has ended.
    private func onThread(_ body: @escaping @Sendable () -> Void) {
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            ended.signal()
        }
        thread.start()
        ended.wait()
        while !thread.isFinished { sched_yield() }
    }

    /// Waits for what a thread does after its closure.
    private func becomes(_ count: Int, _ released: Atomic<Int>.Box) -> Bool {
        for _ in 0..<1_000_000 where released.count < count { sched_yield() }
        return released.count == count
    }

    @Test("Each thread has one object for each key, which is released when the thread ends")
    func perThread() {
        let (released, wrong) = (Atomic<Int>.Box(), Atomic<Int>.Box())
        for _ in 0..<20 {
            onThread {
                let one = ThreadLocal.object(First.key) { Tracked(released) }
                if ThreadLocal.object(First.key, or: { Tracked(released) }) !== one { wrong.add() }
                if ThreadLocal.object(Second.key, or: { Tracked(released) }) === one { wrong.add() }
                if released.count % 2 != 0 { sched_yield() }
            }
        }
        #expect(becomes(40, released))
        #expect(wrong.count == 0)
    }

    @Test("Threads that are the first to use a key at the same time get objects of their own")
    func firstUse() {
        let (released, seen) = (Atomic<Int>.Box(), Guarded<Set<ObjectIdentifier>>([]))
        let (ready, ended) = (Atomic<Int>.Box(), DispatchSemaphore(value: 0))
        for _ in 0..<8 {
            Thread {
                ready.add()
                while ready.count < 8 { sched_yield() }
                let object = ThreadLocal.object(Late.key) { Tracked(released) }
                seen.withLock { _ = $0.insert(ObjectIdentifier(object)) }
                ready.add()
                // All objects live at the same time, so that no two have the same address.
                while ready.count < 16 { sched_yield() }
                ended.signal()
            }.start()
        }
        for _ in 0..<8 { ended.wait() }
        #expect(seen.withLock { $0.count } == 8)
        #expect(becomes(8, released))
    }

    @Test("An object that is set replaces the former one, is only on its thread, and is released when it is removed")
    func setting() {
        enum Own { static let key = Atomic<UInt>(0) }
        let (released, wrong) = (Atomic<Int>.Box(), Atomic<Int>.Box())
        onThread {
            if ThreadLocal.existing(Own.key, as: Tracked.self) != nil { wrong.add() }
            ThreadLocal.set(Tracked(released), for: Own.key)
            let second = Tracked(released)
            ThreadLocal.set(second, for: Own.key)
            if released.count != 1 || ThreadLocal.existing(Own.key, as: Tracked.self) !== second { wrong.add() }
            onThread { if ThreadLocal.existing(Own.key, as: Tracked.self) != nil { wrong.add() } }
            ThreadLocal.set(nil as Tracked?, for: Own.key)
            if ThreadLocal.existing(Own.key, as: Tracked.self) != nil { wrong.add() }
        }
        #expect(becomes(2, released))
        #expect(wrong.count == 0)
    }

    @Test("A deinit at the end of a thread may use thread-local objects, which are released too")
    func atEnd() {
        final class Last: Sendable {
            let released: Atomic<Int>.Box
            init(_ released: Atomic<Int>.Box) { self.released = released }
            deinit {
                _ = ThreadLocal.object(Second.key) { Tracked(released) }
                released.add()
            }
        }
        enum Own { static let key = Atomic<UInt>(0) }
        let released = Atomic<Int>.Box()
        onThread { _ = ThreadLocal.object(Own.key) { Last(released) } }
        #expect(becomes(2, released))
    }
}
