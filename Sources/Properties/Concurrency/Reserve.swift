package import Synchronization

/// References to an object that a thread has counted ahead, to give them out one by one: threads that all ask for
/// one object would else fight over its count for each.
///
/// A thread has 16 reserves; which of them is an object's depends on the object's address. A reserve is one
/// word: the address, and in its lowest four bits, which are 0 in the address of an object that `malloc` gave, how
/// many references are left. The thread takes one, and a writer takes all, by a compare-and-exchange, so nobody gets a
/// reference that another has.
///
/// No object lives longer for it. A thread fills a reserve under the hazard of the object. A writer that has
/// published another waits for the hazards and then takes the old object's references from every thread
/// (`giveUp(_:)`), so it finds all there are; and they are never the last ones, since it has one itself.
@safe package enum Reserve {
    /// How many reserves a thread has.
    static let count = 16
    /// The most references in a reserve, and the bits that say how many there are.
    private static let capacity: UInt = 15

    /// Takes a reference to the object whose address an atomic holds; nil where that is 0.
    ///
    /// - Returns: the object, with the reference that the caller has now.
    package static func take(from current: borrowing Atomic<UInt>) -> Unmanaged<AnyObject>? {
        let address = current.load(ordering: .acquiring)
        let reserve = unsafe ThreadSlot.own.pointee.reserves + index(of: address)
        let word = unsafe reserve.pointee.load(ordering: .relaxed)
        // One to `capacity` above the address: it is the object's, and not empty.
        if word &- address &- 1 < capacity, unsafe take(1, of: word, from: reserve) {
            return unsafe reference(to: address)
        }
        return unsafe takeFromCount(current)
    }

    /// Takes a reference from the object's count, and others ahead.
    @inline(never)
    private static func takeFromCount(_ current: borrowing Atomic<UInt>) -> Unmanaged<AnyObject>? {
        guard let hazard = Hazard.protect(current) else { return nil }
        let (address, object): (UInt, Unmanaged<AnyObject>) = unsafe (hazard.address, hazard.object())
        let reserve = unsafe ThreadSlot.own.pointee.reserves + index(of: address)
        let word = unsafe reserve.pointee.load(ordering: .relaxed)
        let isEmpty = word & capacity == 0
        _ = unsafe object.retain()
        if isEmpty, address & capacity == 0 {
            // The optimizer makes one addition of these.
            for _ in 0..<capacity { _ = unsafe object.retain() }
            // Nobody but its thread changes an empty one.
            unsafe reserve.pointee.store(address | capacity, ordering: .releasing)
        }
        Hazard.clear()
        if !isEmpty { unsafe makeRoom(in: reserve, word) }
        return unsafe object
    }

    /// Lets go of one of another object's references, now and then: what nobody asks for any more makes room in the end,
    /// and what is asked for in turn with this object is not filled and emptied each time.
    private static func makeRoom(in reserve: UnsafeMutablePointer<Atomic<UInt>>, _ word: UInt) {
        let slot = unsafe ThreadSlot.own
        let conflicts = unsafe slot.pointee.conflicts.load(ordering: .relaxed)
        unsafe slot.pointee.conflicts.store(conflicts &+ 1, ordering: .relaxed)
        if conflicts & 3 == 3, unsafe take(1, of: word, from: reserve) {
            // It may be the last one, where another thread has just replaced the object: then a `deinit` runs.
            unsafe reference(to: word & ~capacity).release()
        }
    }

    /// Gives up what all threads have of an object that is published no more. The caller has a reference to it.
    static func giveUp(_ address: UInt) {
        let index = index(of: address)
        ThreadSlot.forEach { slot in
            let reserve = unsafe slot.reserves + index
            var word = unsafe reserve.pointee.load(ordering: .acquiring)
            while word &- address &- 1 < capacity {
                let left = word & capacity
                if unsafe take(left, of: word, from: reserve) {
                    for _ in 0..<left { unsafe reference(to: address).release() }
                    return
                }
                word = unsafe reserve.pointee.load(ordering: .acquiring)
            }
        }
    }

    @inline(__always)
    private static func take(_ number: UInt, of word: UInt, from reserve: UnsafeMutablePointer<Atomic<UInt>>) -> Bool {
        unsafe reserve.pointee.compareExchange(
            expected: word, desired: word - number, ordering: .acquiringAndReleasing
        ).exchanged
    }

    @inline(__always)
    private static func index(of address: UInt) -> Int {
        // The upper bits of the product depend on all bits.
        Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }

    /// Safe where the address came from an object that the caller keeps, or has a reference to.
    @inline(__always)
    private static func reference(to address: UInt) -> Unmanaged<AnyObject> {
        unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
