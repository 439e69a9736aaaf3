import SharedState

/// A hash table of registrations that threads read without a lock while one writer at a time adds to it.
///
/// A slot goes from empty to a registration, and then to other registrations of the same key, by one atomic exchange
/// each. Nothing is removed. A full table is replaced by one of twice its size. Readers are under the container's
/// hazard.
final class RegistrationTable: @unchecked Sendable {
    // @unchecked: the slots are atomic; `count` belongs to the writer, who holds the monitor.
    private let slots: UnprotectedReferences<Registration>
    private let shift: UInt64
    private var count = 0

    /// Creates a table of some registrations with room for as many more.
    init(_ registrations: [Registration] = []) {
        let bits = Int.bitWidth - (max(16, 4 * registrations.count) - 1).leadingZeroBitCount
        slots = UnprotectedReferences(count: 1 << bits)
        shift = UInt64(64 - bits)
        for registration in registrations { _ = insert(registration) }
    }

    /// Finds the registration of a key, and its shared instance.
    func lookUp(_ key: ServiceKey) -> LookupResult {
        var hasOtherArguments = false
        var index = start(of: key)
        while let result = slots.withObject(at: index, { result(of: $0, for: key) }) {
            switch result {
            case .missing(let hasArguments): hasOtherArguments = hasOtherArguments || hasArguments
            case .instance, .registration: return result
            }
            index = next(index)
        }
        return .missing(hasOtherArguments: hasOtherArguments)
    }

    @inline(__always)
    private func result(of registration: Registration, for key: ServiceKey) -> LookupResult {
        if !registration.key.hasService(of: key) { return .missing(hasOtherArguments: false) }
        return registration.key.hasArguments(of: key) ? registration.lookupResult : .missing(hasOtherArguments: true)
    }

    private func start(of key: ServiceKey) -> Int { Int(truncatingIfNeeded: key.hash >> shift) }

    private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }
}

// MARK: - For the writer

extension RegistrationTable {
    /// All registrations, in no order.
    var all: [Registration] { (0..<slots.count).compactMap { slots.copy(at: $0) } }

    /// The registration of a key.
    func find(_ key: ServiceKey) -> Registration? { slots.copy(at: index(of: key)) }

    /// Adds a registration, or replaces the one of its key.
    ///
    /// - Returns: the replaced registration, which readers may still use.
    func insert(_ registration: Registration) -> Registration? {
        let index = index(of: registration.key)
        if slots.copy(at: index) == nil { count += 1 }
        return slots.exchange(registration, at: index)
    }

    /// Whether one more registration would make searches long.
    var isFull: Bool { count * 2 >= slots.count }

    /// The slot of a key, or the empty slot where it belongs.
    private func index(of key: ServiceKey) -> Int {
        var index = start(of: key)
        while let registration = slots.copy(at: index), registration.key != key { index = next(index) }
        return index
    }
}
