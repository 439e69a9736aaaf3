/// A hash table of registrations that is read without a lock while one writer at a time adds to it.
///
/// Slots go from empty to a registration to a later one of the same key, each by one atomic store; nothing is
/// removed. Full, it is replaced by a table twice its size. Its owner keeps replaced tables and registrations as
/// long as it lives, so a reader needs no reference count; the tables that one has outgrown take no more than itself.
@safe
final class RegistrationTable: @unchecked Sendable {
    // @unchecked: the slots are atomic; `count` belongs to the writer, who holds the container's monitor.
    private let slots: UnsafeMutablePointer<AtomicReference<AnyRegistration>>
    private let capacity: Int
    private let shift: UInt64
    private var count = 0

    /// Makes a table of some registrations with room for as many more.
    init(_ registrations: [AnyRegistration] = []) {
        let bits = Int.bitWidth - (max(16, 4 * registrations.count) - 1).leadingZeroBitCount
        capacity = 1 << bits
        shift = UInt64(64 - bits)
        unsafe slots = .allocate(capacity: capacity)
        for index in 0..<capacity { unsafe (slots + index).initialize(to: AtomicReference()) }
        for registration in registrations { _ = insert(registration) }
    }

    deinit {
        unsafe slots.deinitialize(count: capacity)
        unsafe slots.deallocate()
    }

    /// Finds the registration of a key. It lives as long as the container.
    func find(_ key: ServiceKey) -> Unmanaged<AnyRegistration>? { unsafe first(key.hash) { $0 == key } }

    /// Whether there is a registration of a key's type and qualifier with other arguments.
    func hasOtherArguments(than key: ServiceKey) -> Bool {
        unsafe first(key.hash) { $0.hasService(of: key) && $0 != key } != nil
    }

    @inline(__always)
    private func first(_ hash: UInt64, where isWanted: (ServiceKey) -> Bool) -> Unmanaged<AnyRegistration>? {
        var index = Int(truncatingIfNeeded: hash >> shift)
        while let found = unsafe slots[index].load() {
            if unsafe found._withUnsafeGuaranteedRef({ isWanted($0.key) }) { return unsafe found }
            index = (index + 1) & (capacity - 1)
        }
        return nil
    }

    /// All registrations, in no order.
    var all: [AnyRegistration] {
        (0..<capacity).compactMap { unsafe slots[$0].load()?.takeUnretainedValue() }
    }

    /// Adds a registration or puts it in the place of the one with its key, for one writer at a time.
    ///
    /// - Returns: the replaced registration, which the caller has to keep.
    func insert(_ registration: AnyRegistration) -> AnyRegistration? {
        var index = Int(truncatingIfNeeded: registration.key.hash >> shift)
        while let old = unsafe slots[index].load()?.takeUnretainedValue() {
            if old.key == registration.key { return unsafe slots[index].exchange(registration) }
            index = (index + 1) & (capacity - 1)
        }
        count += 1
        return unsafe slots[index].exchange(registration)
    }

    /// Whether one more would make searches long.
    var isFull: Bool { count * 2 >= capacity }
}
