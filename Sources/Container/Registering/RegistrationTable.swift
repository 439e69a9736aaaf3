import SharedState

/// A hash table of registrations that threads read without a lock while one writer at a time adds to it.
///
/// A slot goes from empty to a registration, and then to other registrations of the same key, by one atomic exchange
/// each. Nothing is removed. A full table is replaced by one of twice its size. Readers are under the container's
/// hazard.
@safe
final class RegistrationTable: @unchecked Sendable {
    // @unchecked: the slots are atomic; `count` belongs to the writer, who holds the monitor.
    private let slots: UnsafeMutablePointer<UnprotectedReference<Registration>>
    private let capacity: Int
    private let shift: UInt64
    private var count = 0

    /// Creates a table of some registrations with room for as many more.
    init(_ registrations: [Registration] = []) {
        let bits = Int.bitWidth - (max(16, 4 * registrations.count) - 1).leadingZeroBitCount
        capacity = 1 << bits
        shift = UInt64(64 - bits)
        unsafe slots = .allocate(capacity: capacity)
        for index in 0..<capacity { unsafe (slots + index).initialize(to: UnprotectedReference()) }
        for registration in registrations { _ = insert(registration) }
    }

    deinit {
        unsafe slots.deinitialize(count: capacity)
        unsafe slots.deallocate()
    }

    /// Finds the registration of a key, and its shared instance.
    func lookUp(_ key: ServiceKey) -> LookupResult {
        var hasOtherArguments = false
        var index = start(of: key)
        while let slot = unsafe slots[index].load() {
            let result = unsafe slot._withUnsafeGuaranteedRef { registration -> LookupResult? in
                if !registration.key.hasService(of: key) { return nil }
                if registration.key.hasArguments(of: key) { return registration.lookupResult }
                hasOtherArguments = true
                return nil
            }
            if let result { return result }
            index = (index + 1) & (capacity - 1)
        }
        return .missing(hasOtherArguments: hasOtherArguments)
    }

    private func start(of key: ServiceKey) -> Int { Int(truncatingIfNeeded: key.hash >> shift) }
}

// MARK: - For the writer

extension RegistrationTable {
    /// All registrations, in no order.
    var all: [Registration] { (0..<capacity).compactMap { registration(at: $0) } }

    /// The registration of a key.
    func find(_ key: ServiceKey) -> Registration? { registration(at: index(of: key)) }

    /// Adds a registration, or replaces the one of its key.
    ///
    /// - Returns: the replaced registration, which readers may still use.
    func insert(_ registration: Registration) -> Registration? {
        let index = index(of: registration.key)
        if self.registration(at: index) == nil { count += 1 }
        return unsafe slots[index].exchange(registration)
    }

    /// Whether one more registration would make searches long.
    var isFull: Bool { count * 2 >= capacity }

    /// The slot of a key, or the empty slot where it belongs.
    private func index(of key: ServiceKey) -> Int {
        var index = start(of: key)
        while let registration = registration(at: index), registration.key != key {
            index = (index + 1) & (capacity - 1)
        }
        return index
    }

    private func registration(at index: Int) -> Registration? { unsafe slots[index].load()?.takeUnretainedValue() }
}
