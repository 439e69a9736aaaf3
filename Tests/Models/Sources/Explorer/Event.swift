/// The memory ordering of an access. `none` is an access that is not atomic.
public enum MemoryOrdering: String, Sendable {
    case none, relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    var acquires: Bool { self == .acquiring || self == .acquiringAndReleasing || self == .sequentiallyConsistent }
    var releases: Bool { self == .releasing || self == .acquiringAndReleasing || self == .sequentiallyConsistent }
}

/// An access that a thread is about to make.
struct Access: Sendable {
    enum Kind: Sendable {
        case load
        case store(Int)
        /// Reads and writes in one step. The closure returns the value to write, or nil if it only reads, as a
        /// comparison does that fails.
        case update(@Sendable (Int) -> Int?)
    }

    let kind: Kind
    let location: Int
    let ordering: MemoryOrdering
}

/// An access that a thread has made in one execution.
struct Event {
    /// The thread, or nil for the initial value of a location.
    let thread: Int?
    let location: Int
    let ordering: MemoryOrdering
    /// The number of the write whose value it reads. Nil if it only writes, or if the execution does not have that
    /// write yet.
    var source: Int?
    /// The value that it reads, or nil.
    let value: Int?
    /// The value that it writes, or nil.
    let written: Int?
    /// The events that happen before it, a bit for each.
    var past: UInt64 = 0

    var isAtomic: Bool { ordering != .none }
    var isUpdate: Bool { value != nil && written != nil }
    /// Whether it reads a value that no event has written yet.
    var isPromised: Bool { value != nil && source == nil }
    var isSequential: Bool { ordering == .sequentiallyConsistent }
}
