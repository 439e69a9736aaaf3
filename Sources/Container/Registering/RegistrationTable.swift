import SharedState

/// A hash table of registrations that any thread reads without a lock while one writer at a time changes it.
///
/// A slot is empty at first. Atomic exchanges fill it with a registration and later with other registrations of the
/// same key. A slot never becomes empty again: to remove registrations, or if the table is full, the container replaces
/// the whole table. Readers must be under the container's hazard.
final class RegistrationTable: @unchecked Sendable {
    // @unchecked: the slots are atomic. Only the writer, which holds the monitor, uses `count`.
    private let slots: UnprotectedReferences<Registration>
    /// The right shift that turns a hash into the index of a slot.
    private let shift: UInt64
    /// The number of filled slots.
    private var count = 0
    /// Whether the container is closed. The table is empty then.
    let isClosed: Bool

    /// Creates a table of some registrations. At most a quarter of its slots are filled, and it has at least 16.
    init(_ registrations: [Registration] = [], isClosed: Bool = false) {
        self.isClosed = isClosed
        let bits = Int.bitWidth - (max(16, 4 * registrations.count) - 1).leadingZeroBitCount
        slots = UnprotectedReferences(count: 1 << bits)
        shift = UInt64(64 - bits)
        for registration in registrations { _ = insert(registration) }
    }

    /// Looks up a key. The caller must be under the container's hazard. `isInherited` is whether the lookup began in a
    /// child of the container.
    func lookUp(_ key: ServiceKey, isInherited: Bool) -> LookupResult {
        var hasOtherArguments = false
        var index = start(of: key)
        while let result = slots.withObject(at: index, { result(of: $0, for: key, isInherited) }) {
            switch result {
            case .missing(let hasArguments): hasOtherArguments = hasOtherArguments || hasArguments
            case .instance, .registration, .closed: return result
            }
            index = next(index)
        }
        return isClosed ? .closed : .missing(hasOtherArguments: hasOtherArguments)
    }

    @inline(__always)
    private func result(of registration: Registration, for key: ServiceKey, _ isInherited: Bool) -> LookupResult {
        if !registration.key.hasService(of: key) { return .missing(hasOtherArguments: false) }
        return registration.key.hasArguments(of: key)
            ? registration.lookupResult(isInherited: isInherited) : .missing(hasOtherArguments: true)
    }

    private func start(of key: ServiceKey) -> Int { Int(truncatingIfNeeded: key.hash >> shift) }

    private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }
}

// MARK: - For the writer

extension RegistrationTable {
    /// All registrations, unsorted.
    var all: [Registration] { (0..<slots.count).compactMap { slots.copy(at: $0) } }

    /// The registration of a key, or nil.
    func find(_ key: ServiceKey) -> Registration? { slots.copy(at: index(of: key)) }

    /// Adds a registration, or replaces the registration of the same key.
    ///
    /// - Returns: the replaced registration, which readers may still use, or nil.
    func insert(_ registration: Registration) -> Registration? {
        let index = index(of: registration.key)
        if slots.copy(at: index) == nil { count += 1 }
        return slots.exchange(registration, at: index)
    }

    /// Whether half of the slots are filled. More would make searches slow.
    var isFull: Bool { count * 2 >= slots.count }

    /// The index of the slot of a key, or of the empty slot where the key would be inserted.
    private func index(of key: ServiceKey) -> Int {
        var index = start(of: key)
        while let registration = slots.copy(at: index), registration.key != key { index = next(index) }
        return index
    }
}
