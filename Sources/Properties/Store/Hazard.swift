package import Synchronization

/// A reader's word that it is looking at an object, which keeps the object from being released (a hazard pointer).
///
/// Each thread has a slot. A reader puts the object's address into its own, then looks whether the object is still the
/// published one; only then it touches the object, and last it clears the slot. A writer first publishes another object,
/// then waits for each slot that has the old one's address, then releases the old one.
///
/// Why the object lives while the reader touches it: all four steps are sequentially consistent, so they have one
/// order. A reader that saw the object published (after it had filled its slot) comes before the writer's exchange, hence
/// the writer, which looks at the slots after its exchange, finds the slot filled or already cleared. A reader whose
/// look came after the exchange sees another address and does not touch the old object. The clearing is a release that
/// the writer acquires, so all that the reader did comes before the object's end. A slot that a new thread adds
/// comes, by the same order, before the writer's look or after its exchange.
///
/// A thread has one slot, so a reader that looks at one object must not begin to look at another.
@safe package struct Hazard {
    /// The address of the protected object.
    private let address: UInt

    /// Protects the object whose address an atomic holds; nil where that is 0.
    @inline(__always)
    package static func protect(_ current: borrowing Atomic<UInt>) -> Hazard? {
        var address = current.load(ordering: .relaxed)
        if address == 0 { return nil }
        let slot = unsafe HazardSlot.own
        while true {
            unsafe slot.pointee.address.store(address, ordering: .sequentiallyConsistent)
            let now = current.load(ordering: .sequentiallyConsistent)
            if now == address { return Hazard(address: address) }
            address = now
            if address == 0 {
                unsafe slot.pointee.address.store(0, ordering: .releasing)
                return nil
            }
        }
    }

    /// Points at the protected object.
    package var pointer: UnsafeRawPointer {
        // Safe: `protect` gives no address that is 0.
        unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    }

    /// Ends the protection that this thread has.
    ///
    /// It asks for the thread's slot again, though it might have kept it. The optimizer moves a retain down past a store,
    /// even an atomic one, since a store releases nothing: then what was copied would be retained when the slot no longer
    /// protects it, which has crashed readers. A C function of which the compiler knows neither body nor attributes
    /// might release anything, so no retain passes the call in `own`.
    @inline(__always)
    package static func clear() { unsafe HazardSlot.own.pointee.address.store(0, ordering: .releasing) }

    /// Waits until nobody looks at an object that is no longer published.
    package static func wait(for address: UInt) {
        if address == 0 { return }
        var next = unsafe HazardSlot.newest.load(ordering: .sequentiallyConsistent)
        while let slot = unsafe next {
            var turns = 0
            while unsafe slot.pointee.address.load(ordering: .sequentiallyConsistent) == address {
                turns += 1
                // A reader is done in nanoseconds unless its thread has lost the processor.
                if turns > 100 { Platform.yield() }
            }
            unsafe next = slot.pointee.next
        }
    }
}

/// A thread's slot. There are as many as there ever were threads at once: none is given back, but the next thread's.
@safe
struct HazardSlot: ~Copyable {
    let address = Atomic<UInt>(0)
    private let isTaken = Atomic(true)
    let next: UnsafeMutablePointer<HazardSlot>?

    /// All slots, each with the next older one. Safe: it is atomic, and so is all in a slot that changes.
    nonisolated(unsafe) static let newest = unsafe Atomic<UnsafeMutablePointer<HazardSlot>?>(nil)

    private init(next: UnsafeMutablePointer<HazardSlot>?) { unsafe self.next = unsafe next }

    /// The slot of this thread.
    @inline(__always)
    static var own: UnsafeMutablePointer<HazardSlot> {
        if let own = unsafe Platform.threadValue { return unsafe own.assumingMemoryBound(to: HazardSlot.self) }
        return unsafe take()
    }

    @inline(never)
    private static func take() -> UnsafeMutablePointer<HazardSlot> {
        let slot = unsafe free ?? added()
        unsafe Platform.threadValue = UnsafeMutableRawPointer(slot)
        return unsafe slot
    }

    /// A thread has ended.
    static func giveBack(_ raw: UnsafeMutableRawPointer) {
        unsafe raw.assumingMemoryBound(to: HazardSlot.self).pointee.isTaken.store(false, ordering: .releasing)
    }

    private static var free: UnsafeMutablePointer<HazardSlot>? {
        var next = unsafe newest.load(ordering: .acquiring)
        while let slot = unsafe next {
            let (isMine, _) = unsafe slot.pointee.isTaken.compareExchange(
                expected: false, desired: true, ordering: .acquiringAndReleasing)
            if isMine { return unsafe slot }
            unsafe next = slot.pointee.next
        }
        return nil
    }

    private static func added() -> UnsafeMutablePointer<HazardSlot> {
        // Two cache lines, since processors fetch lines in pairs, so that threads do not touch each other's.
        let raw = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
        let slot = unsafe raw.bindMemory(to: HazardSlot.self, capacity: 1)
        var next = unsafe newest.load(ordering: .relaxed)
        unsafe slot.initialize(to: HazardSlot(next: next))
        while true {
            let (isDone, now) = unsafe newest.compareExchange(
                expected: next, desired: slot, ordering: .sequentiallyConsistent)
            if isDone { return unsafe slot }
            unsafe next = now
            unsafe slot.deinitialize(count: 1)
            unsafe slot.initialize(to: HazardSlot(next: next))
        }
    }
}
