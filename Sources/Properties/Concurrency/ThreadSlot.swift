import Synchronization

/// What a thread has that writers on other threads look at: its hazard and its reserves.
///
/// There are as many as there ever were threads at once: none is given back, but to the next thread.
@safe
package struct ThreadSlot: ~Copyable {
    /// The address of the object that the thread looks at, or 0: see `Hazard`.
    let hazard = Atomic<UInt>(0)
    /// The references that the thread has ahead: see `Reserve`.
    let reserves: UnsafeMutablePointer<Atomic<UInt>>
    /// How often the thread has found another object's references in a reserve. Its alone.
    let conflicts = Atomic<UInt>(0)
    /// See the static `companion`. Its thread's alone.
    private let ownCompanion = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    private let isTaken = Atomic(true)
    private let next: UnsafeMutablePointer<ThreadSlot>?

    /// All slots, each with the next older one. Safe: it is atomic, and so is all in a slot that changes.
    nonisolated(unsafe) private static let newest = unsafe Atomic<UnsafeMutablePointer<ThreadSlot>?>(nil)

    /// The slot of this thread.
    @inline(__always)
    static var own: UnsafeMutablePointer<ThreadSlot> {
        if let own = unsafe Platform.threadValue { return unsafe own.assumingMemoryBound(to: ThreadSlot.self) }
        return unsafe take()
    }

    /// An object that another module keeps for this thread, which owns a reference to it and gives it up when it ends.
    package static var companion: UnsafeMutableRawPointer? {
        get { unsafe own.pointee.ownCompanion.load(ordering: .relaxed) }
        set { unsafe own.pointee.ownCompanion.store(newValue, ordering: .relaxed) }
    }

    /// Calls the body with each slot, those of threads that have ended too.
    static func forEach(_ body: (borrowing ThreadSlot) -> Void) {
        var next = unsafe newest.load(ordering: .sequentiallyConsistent)
        while let slot = unsafe next {
            body(unsafe slot.pointee)
            unsafe next = slot.pointee.next
        }
    }
}

// MARK: - Threads come and go

extension ThreadSlot {
    @inline(never)
    private static func take() -> UnsafeMutablePointer<ThreadSlot> {
        let slot = unsafe free ?? added()
        unsafe Platform.threadValue = UnsafeMutableRawPointer(slot)
        return unsafe slot
    }

    /// A thread has ended. Its reserves stay: they are the next thread's, and writers see them.
    static func giveBack(_ raw: UnsafeMutableRawPointer) {
        let slot = unsafe raw.assumingMemoryBound(to: ThreadSlot.self)
        let companion = unsafe slot.pointee.ownCompanion.exchange(nil, ordering: .relaxed)
        unsafe slot.pointee.isTaken.store(false, ordering: .releasing)
        if let companion = unsafe companion { unsafe Unmanaged<AnyObject>.fromOpaque(companion).release() }
    }

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
        // Whole cache lines, in pairs, as processors fetch them, so that threads do not touch each other's: one pair for
        // the slot, then the reserves.
        let pair = 128
        let raw = UnsafeMutableRawPointer.allocate(
            byteCount: pair + Reserve.count * MemoryLayout<Atomic<UInt>>.stride, alignment: pair)
        let reserves = unsafe (raw + pair).bindMemory(to: Atomic<UInt>.self, capacity: Reserve.count)
        for index in 0..<Reserve.count { unsafe (reserves + index).initialize(to: Atomic(0)) }
        let slot = unsafe raw.bindMemory(to: ThreadSlot.self, capacity: 1)
        var next = unsafe newest.load(ordering: .relaxed)
        unsafe slot.initialize(to: ThreadSlot(reserves: reserves, next: next))
        while true {
            let (isDone, now) = unsafe newest.compareExchange(
                expected: next, desired: slot, ordering: .sequentiallyConsistent)
            if isDone { return unsafe slot }
            unsafe next = now
            unsafe slot.deinitialize(count: 1)
            unsafe slot.initialize(to: ThreadSlot(reserves: reserves, next: next))
        }
    }
}
