import Synchronization

/// The word in which a thread publishes the hazard that it is under.
///
/// Slots form a list that only grows: one that a thread leaves when it ends goes to the next new thread. So there are
/// as many as there ever were threads at once, and a writer can walk the list without a lock.
@safe
struct ThreadSlot: ~Copyable {
    /// The number of the hazard that the thread is under, or 0. Its thread writes it; writers read it.
    let hazard = Atomic<UInt>(0)
    private let isTaken = Atomic(true)
    private let next: UnsafeMutablePointer<ThreadSlot>?

    /// The head of the list. Safe to share: it is atomic, and so is everything in a slot that changes.
    nonisolated(unsafe) private static let newest = unsafe Atomic<UnsafeMutablePointer<ThreadSlot>?>(nil)
    private static let key = Atomic<UInt>(0)

    /// The slot of this thread.
    ///
    /// Each access calls a C function of which the compiler knows nothing (`ThreadLocal.object`).
    @inline(__always)
    static var own: UnsafeMutablePointer<ThreadSlot> {
        guard let owner: Unmanaged<Owner> = unsafe ThreadLocal.object(key) else { return unsafe take() }
        return unsafe owner._withUnsafeGuaranteedRef { unsafe $0.slot }
    }

    /// Calls the body with each slot, including those of threads that have ended.
    static func forEach(_ body: (borrowing ThreadSlot) -> Void) {
        var next = unsafe newest.load(ordering: .sequentiallyConsistent)
        while let slot = unsafe next {
            body(unsafe slot.pointee)
            unsafe next = slot.pointee.next
        }
    }

    /// A thread-local object that gives the slot back when its thread ends.
    @safe
    private final class Owner {
        let slot: UnsafeMutablePointer<ThreadSlot>
        init(_ slot: UnsafeMutablePointer<ThreadSlot>) { unsafe self.slot = unsafe slot }
        deinit { unsafe slot.pointee.isTaken.store(false, ordering: .releasing) }
    }
}

// MARK: - Threads come and go

extension ThreadSlot {
    @inline(never)
    private static func take() -> UnsafeMutablePointer<ThreadSlot> {
        let slot = unsafe free ?? added()
        ThreadLocal.set(unsafe Owner(slot), key)
        return unsafe slot
    }

    /// A slot whose thread has ended, taken for this thread.
    private static var free: UnsafeMutablePointer<ThreadSlot>? {
        var next = unsafe newest.load(ordering: .acquiring)
        while let slot = unsafe next {
            let (isMine, _) = unsafe slot.pointee.isTaken.compareExchange(
                expected: false, desired: true, ordering: .acquiringAndReleasing)
            if isMine { return unsafe slot }
            unsafe next = slot.pointee.next
        }
        return nil
    }

    private static func added() -> UnsafeMutablePointer<ThreadSlot> {
        // Two cache lines of its own, since processors fetch lines in pairs: threads must not write to one line.
        let raw = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
        let slot = unsafe raw.bindMemory(to: ThreadSlot.self, capacity: 1)
        var next = unsafe newest.load(ordering: .relaxed)
        unsafe slot.initialize(to: ThreadSlot(next: next))
        while true {
            let (isDone, now) = unsafe newest.compareExchange(
                expected: next, desired: slot, ordering: .sequentiallyConsistent)
            if isDone {
                // The first slot of the process. A fork handler cannot be removed, so it must not be set twice.
                if unsafe next == nil { Platform.afterForkInChild { ThreadSlot.leaveOtherThreads() } }
                return unsafe slot
            }
            unsafe next = now
            unsafe slot.deinitialize(count: 1)
            unsafe slot.initialize(to: ThreadSlot(next: next))
        }
    }

    /// Frees the slots of all threads but this one: those that a child process does not have. A writer would else wait
    /// for ever for a thread that was reading at the time of the `fork()`.
    private static func leaveOtherThreads() {
        let own: Unmanaged<Owner>? = unsafe ThreadLocal.object(key)
        let ownSlot = unsafe own?._withUnsafeGuaranteedRef { unsafe $0.slot }
        var next = unsafe newest.load(ordering: .relaxed)
        while let slot = unsafe next {
            if unsafe slot != ownSlot {
                unsafe slot.pointee.hazard.store(0, ordering: .relaxed)
                unsafe slot.pointee.isTaken.store(false, ordering: .relaxed)
            }
            unsafe next = slot.pointee.next
        }
    }
}
