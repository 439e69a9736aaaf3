package import Synchronization

/// References to an object that a thread has counted ahead, to give them out one by one: threads that all ask for
/// one object would else fight over its count for each.
///
/// A thread has 16 reserves; which of them is an object's depends on the object's address. A reserve is one
/// word: the address, and in its lowest four bits, which are 0 in the address of an object that `malloc` gave, how
/// many references are left. The thread takes one, and a writer takes all, by a compare-and-exchange, so nobody gets a
/// reference that another has.
///
/// No object lives longer for it. A thread fills a reserve under the hazard of the object, with references that are
/// counted before others can see them. A writer that has published another object in the old one's place waits for
/// the hazards and takes the old one's references from every thread (`giveUp(_:in:)`), so it finds all there are. Where
/// another `AtomicReference` has the same object, threads go on to fill reserves from that one, whose writer finds them.
///
/// What is released here is never the last reference, so no `deinit` runs: `giveUp(_:in:)` releases while its caller has
/// a reference, and `makeRoom(for:_:)` under a hazard for which a writer waits before it releases its own.
@safe package enum Reserve {
    /// How many reserves a thread has: as many as these bits can tell.
    static var count: Int { 1 << indexBits }
    private static let indexBits: UInt64 = 4
    /// The most references in a reserve, and the bits that say how many there are.
    private static let capacity: UInt = 15

    /// Takes a reference to the object whose address an atomic holds; nil where that is 0.
    ///
    /// - Returns: the object, with the reference that the caller has now.
    package static func take(from current: borrowing Atomic<UInt>) -> Unmanaged<AnyObject>? {
        let address = current.load(ordering: .acquiring)
        let reserve = unsafe own(for: address)
        let word = unsafe reserve.pointee.load(ordering: .relaxed)
        // One to `capacity` above the address: it is the object's, and not empty.
        if word &- address &- 1 < capacity, unsafe remove(1, of: word, from: reserve) {
            return unsafe reference(to: address)
        }
        return unsafe takeFromCount(current)
    }

    /// Takes a reference from the object's count, and others ahead.
    @inline(never)
    private static func takeFromCount(_ current: borrowing Atomic<UInt>) -> Unmanaged<AnyObject>? {
        guard let hazard = Hazard.protect(current) else { return nil }
        let (address, object): (UInt, Unmanaged<AnyObject>) = unsafe (hazard.address, hazard.object())
        let word = unsafe own(for: address).pointee.load(ordering: .relaxed)
        let isEmpty = word & capacity == 0
        _ = unsafe object.retain()
        if isEmpty, address & capacity == 0 {
            // The optimizer makes one addition of these.
            for _ in 0..<capacity { _ = unsafe object.retain() }
            // Asked for again: no retain passes the call in `ThreadSlot.own` (see `Hazard.clear`), so they are counted
            // before a writer can see and release them. Nobody but its thread changes an empty one.
            unsafe own(for: address).pointee.store(address | capacity, ordering: .releasing)
        }
        Hazard.clear()
        if !isEmpty { makeRoom(for: address, word) }
        return unsafe object
    }

    /// Lets go of one of another object's references, now and then: what nobody asks for any more makes room in the end,
    /// and what is asked for in turn with this object is not filled and emptied each time.
    private static func makeRoom(for address: UInt, _ word: UInt) {
        let slot = unsafe ThreadSlot.own
        let conflicts = unsafe slot.pointee.conflicts.load(ordering: .relaxed)
        unsafe slot.pointee.conflicts.store(conflicts &+ 1, ordering: .relaxed)
        if conflicts & 3 != 3 { return }
        // A writer that lets go of the other object waits for this hazard before it releases the reference that it has,
        // so the one released here is not the last: a resolve runs no `deinit` of a service that it has not asked for.
        let other = word & ~capacity
        unsafe slot.pointee.hazard.store(other, ordering: .sequentiallyConsistent)
        if unsafe remove(1, of: word, from: own(for: address)) { unsafe reference(to: other).release() }
        Hazard.clear()
    }

    /// Gives up what a thread has of an object that is published no more. The caller has a reference to it.
    static func giveUp(_ address: UInt, in slot: borrowing ThreadSlot) {
        let reserve = unsafe slot.reserves + index(of: address)
        while true {
            let word = unsafe reserve.pointee.load(ordering: .acquiring)
            let left = word & capacity
            guard left > 0, word - left == address else { return }
            if unsafe remove(left, of: word, from: reserve) {
                for _ in 0..<left { unsafe reference(to: address).release() }
            }
        }
    }

    /// This thread's reserve for an object.
    @inline(__always)
    private static func own(for address: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
        unsafe ThreadSlot.own.pointee.reserves + index(of: address)
    }

    /// Takes some references out of a reserve, unless it is no longer as it was seen.
    @inline(__always)
    private static func remove(_ number: UInt, of word: UInt, from reserve: UnsafeMutablePointer<Atomic<UInt>>) -> Bool
    {
        unsafe reserve.pointee.compareExchange(
            expected: word, desired: word - number, ordering: .acquiringAndReleasing
        ).exchanged
    }

    @inline(__always)
    private static func index(of address: UInt) -> Int {
        // The upper bits of the product depend on all bits.
        Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> (64 - indexBits))
    }

    /// Safe where the address came from an object that the caller keeps, or has a reference to.
    @inline(__always)
    private static func reference(to address: UInt) -> Unmanaged<AnyObject> {
        unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
