import Synchronization

/// A reader's word that it is looking at an object, which keeps the object from being released.
///
/// There is one row of slots for the whole process. A reader puts the object's address into a free slot, then looks
/// whether the object is still the published one; only then it touches the object, and last it clears the slot. A writer
/// first publishes another object, then waits for each slot that has the old one's address, then releases the old one.
///
/// Why the object lives while the reader touches it: all four steps are sequentially consistent, so they have one
/// order. A reader that saw the object published (after it had filled its slot) comes before the writer's exchange, hence
/// the writer, which looks at the slots after its exchange, finds the slot filled or already cleared. A reader whose
/// look came after the exchange sees another address and does not touch the old object. The clearing is a release that
/// the writer acquires, so all that the reader did comes before the object's end.
///
/// No slot belongs to a thread: the search for a free one begins where the thread's stack leads, which is a place of its
/// own for nearly every thread, so that threads seldom touch each other's cache lines. Where all are taken the search
/// goes on until one of the readers, none of which waits for anything, is done.
@safe struct Hazard {
    /// The address of the protected object.
    let address: UInt
    private let slot: Slot

    private typealias Slot = UnsafeMutablePointer<Atomic<UInt>>
    private static let slotCount = 128
    // In words: two cache lines, since processors fetch lines in pairs.
    private static let stride = 16
    // Made once and never given back.
    nonisolated(unsafe) private static let slots: Slot = {
        let slots = Slot.allocate(capacity: slotCount * stride)
        for index in 0..<slotCount * stride { unsafe (slots + index).initialize(to: Atomic(0)) }
        return unsafe slots
    }()

    /// Protects the object whose address an atomic holds.
    @inline(__always)
    static func protect(_ current: borrowing Atomic<UInt>) -> Hazard {
        var address = current.load(ordering: .relaxed)
        let slot = unsafe claim(address)
        while true {
            let now = current.load(ordering: .sequentiallyConsistent)
            if now == address { return unsafe Hazard(address: address, slot: slot) }
            address = now
            unsafe slot.pointee.store(address, ordering: .sequentiallyConsistent)
        }
    }

    /// Ends the protection.
    @inline(__always)
    func clear() {
        unsafe slot.pointee.store(0, ordering: .releasing)
    }

    /// Ends the protection after something was copied out of the object.
    ///
    /// The optimizer may sink the retain of a copy past the store that clears the slot, when the object may be gone. It
    /// does not sink one past a call of which it knows nothing, since that might release.
    @inline(__always)
    func clearAfterCopy() {
        Self.opaque()
        clear()
    }

    @inline(never) @_optimize(none)
    private static func opaque() {}

    /// Waits until nobody looks at an object that is no longer published.
    static func wait(for address: UInt) {
        for index in 0..<slotCount {
            var turns = 0
            while unsafe (slots + index * stride).pointee.load(ordering: .sequentiallyConsistent) == address {
                turns += 1
                // A reader is done in nanoseconds unless its thread has lost the processor.
                if turns > 100 { Platform.yield() }
            }
        }
    }

    @inline(__always)
    private static func claim(_ address: UInt) -> Slot {
        var index = home
        while true {
            let slot = unsafe slots + index * stride
            let (isFree, _) = unsafe slot.pointee.compareExchange(
                expected: 0, desired: address, ordering: .sequentiallyConsistent)
            if isFree { return unsafe slot }
            index = (index + 1) % slotCount
        }
    }

    // Stacks lie far apart, the frames of one thread close together.
    @inline(__always)
    private static var home: Int {
        var marker: UInt8 = 0
        let stack = unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
        return Int(truncatingIfNeeded: ((stack >> 16) &* 0x9E37_79B9_7F4A_7C15) >> 57)
    }
}
