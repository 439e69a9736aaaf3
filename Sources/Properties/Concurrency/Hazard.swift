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
    let address: UInt

    /// Protects the object whose address an atomic holds; nil where that is 0.
    @inline(__always)
    package static func protect(_ current: borrowing Atomic<UInt>) -> Hazard? {
        var address = current.load(ordering: .relaxed)
        if address == 0 { return nil }
        let slot = unsafe ThreadSlot.own
        while true {
            unsafe slot.pointee.hazard.store(address, ordering: .sequentiallyConsistent)
            let now = current.load(ordering: .sequentiallyConsistent)
            if now == address { return Hazard(address: address) }
            address = now
            if address == 0 {
                unsafe slot.pointee.hazard.store(0, ordering: .releasing)
                return nil
            }
        }
    }

    /// The protected object.
    @inline(__always)
    package func object<Object>() -> Unmanaged<Object> {
        // Safe: `protect` gives no address that is 0.
        unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }

    /// Ends the protection that this thread has.
    ///
    /// It asks for the thread's slot again, though it might have kept it. The optimizer moves a retain down past a store,
    /// even an atomic one, since a store releases nothing: then what was copied would be retained when the slot no longer
    /// protects it, which has crashed readers. A C function of which the compiler knows neither body nor attributes
    /// might release anything, so no retain passes the call in `own`.
    @inline(__always)
    package static func clear() { unsafe ThreadSlot.own.pointee.hazard.store(0, ordering: .releasing) }

    /// Waits until a thread does not look at an object that is no longer published.
    static func wait(for address: UInt, in slot: borrowing ThreadSlot) {
        var turns = 0
        while slot.hazard.load(ordering: .sequentiallyConsistent) == address {
            turns += 1
            // A reader is done in nanoseconds unless its thread has lost the processor.
            if turns > 100 { Platform.yield() }
        }
    }
}
