import Dispatch
import Foundation
import SharedState
import Synchronization
import Testing

/// An object that counts its instances that are alive. It has two halves that must match: they do not if a reader sees
/// a released object.
private final class Counted: Sendable {
    final class Count: Sendable { let number = Atomic(0) }

    let alive: Count
    private let one: Int, other: Int
    var isWhole: Bool { one == -other }

    init(_ number: Int, _ alive: Count) {
        (one, other, self.alive) = (number, -number, alive)
        alive.number.add(1, ordering: .relaxed)
    }

    deinit { alive.number.subtract(1, ordering: .relaxed) }
}

@Suite("AtomicReference")
struct AtomicReferenceTests {
    @Test("copy, exchange and replace retain and release objects correctly")
    func counts() {
        let alive = Counted.Count()
        do {
            let reference = AtomicReference<Counted>()
            let none = reference.copy(), first = Counted(1, alive)
            #expect(none == nil)
            let previous = reference.exchange(first), copied = reference.copy()
            #expect(previous == nil && copied === first)
            let isReplaced = reference.replace(nil, with: Counted(2, alive))
            #expect(!isReplaced)
            let isCurrent = reference.isCurrent(first),
                isReplacedNow = reference.replace(first, with: Counted(3, alive))
            #expect(isCurrent && isReplacedNow)
            let isStillCurrent = reference.isCurrent(first), isWhole = reference.withCurrent { $0.isWhole }
            #expect(!isStillCurrent && isWhole == true)
            #expect(alive.number.load(ordering: .relaxed) == 2)
            let last = reference.exchange(nil)
            #expect(last?.isWhole == true)
            _ = reference.exchange(first)
        }
        #expect(alive.number.load(ordering: .relaxed) == 0)
    }

    @Test("Readers never see a released object while writers replace it, and replaced objects are released")
    func stress() {
        let alive = Counted.Count(), wrong = Atomic(0), reads = Atomic(0), writers = Atomic(2)
        let published = AtomicReference(Counted(0, alive))
        // Starts several threads, so that the scheduler suspends some readers between two instructions.
        let threads = DispatchGroup()
        for thread in 0..<6 {
            threads.enter()
            Thread.detachNewThread {
                if thread < 2 {
                    for number in 1...rounds { _ = published.exchange(Counted(number * 2 + thread, alive)) }
                    writers.subtract(1, ordering: .relaxed)
                } else {
                    repeat {
                        if published.copy()?.isWhole != true { wrong.add(1, ordering: .relaxed) }
                        if published.withCurrent({ $0.isWhole }) != true { wrong.add(1, ordering: .relaxed) }
                        reads.add(1, ordering: .relaxed)
                    } while writers.load(ordering: .relaxed) > 0
                }
                threads.leave()
            }
        }
        threads.wait()
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(reads.load(ordering: .relaxed) >= 4)
        #expect(alive.number.load(ordering: .relaxed) == 1)
        _ = published.exchange(nil)
        #expect(alive.number.load(ordering: .relaxed) == 0)
    }

    @Test("An object in two references stays alive while one of them is replaced repeatedly")
    func shared() {
        let alive = Counted.Count(), wrong = Atomic(0), isDone = Atomic(false)
        let object = Counted(1, alive)
        let kept = AtomicReference(object), replaced = AtomicReference(object)
        let threads = DispatchGroup()
        for _ in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                repeat {
                    for _ in 0..<100 where kept.copy()?.isWhole != true { wrong.add(1, ordering: .relaxed) }
                } while !isDone.load(ordering: .relaxed)
                threads.leave()
            }
        }
        for _ in 1...rounds { _ = replaced.exchange(object) }
        isDone.store(true, ordering: .relaxed)
        threads.wait()
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(alive.number.load(ordering: .relaxed) == 1)
    }

    // Only optimized code can have the errors that these tests look for, so debug builds run fewer rounds.
    #if DEBUG
        private let rounds = 5_000
    #else
        private let rounds = 100_000
    #endif
}
