import Synchronization

/// Protects shared objects while threads read them without a lock. It works like a hazard pointer, but for a group of
/// references instead of one object.
///
/// A reader stores the number of the hazard in its thread's slot, reads, and clears the slot. A writer removes an
/// object from the group, waits until it has seen each slot without the number, and then releases the object.
/// `SharedState.md` proves that no reader uses the object any more.
///
/// A thread has only one slot, so code that runs under a hazard must not read under another one.
@usableFromInline
package struct Hazard: Sendable {
    @usableFromInline let number: UInt
    private static let last = Atomic<UInt>(0)

    package init() {
        // 0 marks an empty slot, so it is not used as a number. On a 32-bit system, the numbers repeat after 2^32
        // hazards. If two hazards have the same number, their writers only wait for more readers than necessary.
        number = max(1, Self.last.add(1, ordering: .relaxed).newValue)
    }

    /// Runs a closure that reads references of this hazard's group.
    ///
    /// - Parameter body: the closure. It must be short, must not block and must not run user code, because writers wait
    ///   for it.
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
        // Sequentially consistent, so that the loads in the closure cannot move before this store.
        unsafe slot.pointee.hazard.store(number, ordering: .sequentiallyConsistent)
    }

    /// Clears the slot.
    ///
    /// The retains of the protected closure must happen before this store. The store alone does not ensure that: a
    /// compiler may move a retain past it. `ThreadSlot.own` contains a call of an opaque C function that might release
    /// the object, so no compiler may move a retain past that call.
    @usableFromInline
    static func end() { unsafe ThreadSlot.own.pointee.hazard.store(0, ordering: .releasing) }

    /// Whether this thread is running a closure under this hazard. For tests.
    package var isActive: Bool { Self.activeNumber == number }

    /// The number of the hazard under which this thread is running a closure, or 0. For tests.
    package static var activeNumber: UInt { unsafe ThreadSlot.own.pointee.hazard.load(ordering: .relaxed) }

    /// Waits until each thread that was reading under this hazard when the wait began has finished. After that, no
    /// reader uses an object that was removed from the group before.
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
