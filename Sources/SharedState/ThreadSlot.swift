import Synchronization

/// A word in which a thread publishes the hazard under which it is reading.
///
/// Slots form a linked list and are never freed, so a writer can traverse the list without a lock. When a thread ends,
/// a later thread reuses its slot. So the list is as long as the highest number of threads that had a slot at the same
/// time.
@safe
struct ThreadSlot: ~Copyable {
    /// The number of the hazard under which the thread is reading, or 0. Only the thread of the slot stores it. Writers
    /// load it.
    let hazard = Atomic<UInt>(0)
    /// Whether a thread uses the slot.
    private let isTaken = Atomic(true)
    private let next: UnsafeMutablePointer<ThreadSlot>?

    /// The head of the list. Safe to share, because the head and all mutable parts of a slot are atomic.
    nonisolated(unsafe) private static let newest = unsafe Atomic<UnsafeMutablePointer<ThreadSlot>?>(nil)
    private static let key = Atomic<UInt>(0)

    /// The slot of this thread.
    ///
    /// Each access calls a C function whose body and effects the compiler does not know; see `ThreadLocal.object`.
    @inline(__always)
    static var own: UnsafeMutablePointer<ThreadSlot> {
        guard let owner: Unmanaged<Owner> = unsafe ThreadLocal.object(key) else { return unsafe take() }
        return unsafe owner._withUnsafeGuaranteedRef { unsafe $0.slot }
    }

    /// Calls a closure with each slot, including those of threads that have ended.
    static func forEach(_ body: (borrowing ThreadSlot) -> Void) {
        var next = unsafe newest.load(ordering: .sequentiallyConsistent)
        while let slot = unsafe next {
            body(unsafe slot.pointee)
            unsafe next = slot.pointee.next
        }
    }

    /// A thread-local object that makes the slot available to other threads when its thread ends.
    @safe
    private final class Owner {
        let slot: UnsafeMutablePointer<ThreadSlot>
        init(_ slot: UnsafeMutablePointer<ThreadSlot>) { unsafe self.slot = unsafe slot }
        deinit { unsafe slot.pointee.isTaken.store(false, ordering: .releasing) }
    }
}

// MARK: - Slots of new and ended threads

extension ThreadSlot {
    /// Takes a slot for this thread, which has none: a free one, or else a new one.
    @inline(never)
    private static func take() -> UnsafeMutablePointer<ThreadSlot> {
        let slot = unsafe free ?? added()
        ThreadLocal.set(unsafe Owner(slot), key)
        return unsafe slot
    }

    /// A slot of a thread that has ended, marked as taken, or nil.
    private static var free: UnsafeMutablePointer<ThreadSlot>? {
        var next = unsafe newest.load(ordering: .acquiring)
        while let slot = unsafe next {
            let (isMine, _) = unsafe slot.pointee.isTaken.compareExchange(
                expected: false, desired: true, ordering: .acquiring)
            if isMine { return unsafe slot }
            unsafe next = slot.pointee.next
        }
        return nil
    }

    /// Adds a new slot to the list.
    private static func added() -> UnsafeMutablePointer<ThreadSlot> {
        // Avoids false sharing: each slot has two cache lines, because some processors fetch lines in pairs.
        let raw = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
        let slot = unsafe raw.bindMemory(to: ThreadSlot.self, capacity: 1)
        var next = unsafe newest.load(ordering: .relaxed)
        unsafe slot.initialize(to: ThreadSlot(next: next))
        while true {
            let (isDone, now) = unsafe newest.compareExchange(
                expected: next, desired: slot, ordering: .sequentiallyConsistent)
            if isDone {
                // Registers the fork handler with the first slot of the process, so that it is registered only once.
                if unsafe next == nil { Platform.afterForkInChild { ThreadSlot.leaveOtherThreads() } }
                return unsafe slot
            }
            unsafe next = now
            unsafe slot.deinitialize(count: 1)
            unsafe slot.initialize(to: ThreadSlot(next: next))
        }
    }

    /// Clears and frees the slots of all threads but this one, after a `fork()` in the child process, which has no
    /// other threads. Otherwise a writer would wait forever for a thread that was reading at the time of the `fork()`.
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
