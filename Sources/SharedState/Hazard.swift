import Synchronization

/// Protects shared objects while a thread reads them: a hazard pointer for a group of references instead of one object.
///
/// A reader publishes the number of the hazard in its thread's slot, reads, and clears the slot. A writer removes an
/// object from the group, waits until no slot has the number, and releases the object. `SharedState.md` proves that no
/// reader has the object by then.
///
/// A thread has one slot, so protected code must not read under another hazard.
@usableFromInline
package struct Hazard: Sendable {
    @usableFromInline let number: UInt
    private static let last = Atomic<UInt>(0)

    package init() {
        // Two hazards of one number, after 2^32 of them on a 32-bit system, only make a writer wait for more readers.
        // 0 is no number: an empty slot has it.
        number = max(1, Self.last.add(1, ordering: .relaxed).newValue)
    }

    /// Runs a closure that reads references of this hazard's group.
    ///
    /// - Parameter body: must be short, wait for nothing and run no user code: a writer waits for it.
    /// - Returns: the result of the closure.
    @inlinable
    @inline(__always)
    package func protect<Result>(_ body: () -> Result) -> Result {
        Self.begin(number)
        defer { Self.end() }
        return body()
    }

    @usableFromInline
    static func begin(_ number: UInt) {
        let slot = unsafe ThreadSlot.own
        assert(unsafe slot.pointee.hazard.load(ordering: .relaxed) == 0, "a thread is under one hazard at a time")
        // A full fence: the loads of the body must not pass it.
        unsafe slot.pointee.hazard.store(number, ordering: .sequentiallyConsistent)
    }

    /// Clears the slot. The access to `own` keeps the retains of the body before the store: no compiler may move a
    /// retain past a call that might release the object, but one that moves it past a store is right.
    @usableFromInline
    static func end() { unsafe ThreadSlot.own.pointee.hazard.store(0, ordering: .releasing) }

    /// Whether this thread is under this hazard. For tests.
    package var isActive: Bool { Self.activeNumber == number }

    /// The number of the hazard that this thread is under, or 0. For tests.
    package static var activeNumber: UInt { unsafe ThreadSlot.own.pointee.hazard.load(ordering: .relaxed) }

    /// Waits for each thread that may have read an object of the group before it was removed.
    package func waitForReaders() {
        ThreadSlot.forEach { slot in
            var turn = 0
            while slot.hazard.load(ordering: .sequentiallyConsistent) == number {
                Platform.pause(turn: turn)
                turn += 1
            }
        }
    }
}
