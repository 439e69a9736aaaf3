/// Threads that use shared memory, and what must hold.
public struct Program: Sendable {
    /// The name for reports.
    public let name: String
    /// The initial value of each location.
    let memory: [Int]
    let threads: [@Sendable (inout Thread) throws -> Void]
    /// What must hold of the last values when all threads have ended, or nil.
    let end: (@Sendable ([Int]) -> Bool)?

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - name: the name for reports.
    ///   - memory: the initial value of each location. A location is an index of this array.
    ///   - end: what must hold of the last values when all threads have ended, or nil.
    ///   - threads: the code of each thread. It may use only what the `Thread` gives it, so that it does the same each
    ///     time that it reads the same values.
    public init(
        _ name: String, memory: [Int], end: (@Sendable ([Int]) -> Bool)? = nil,
        threads: [@Sendable (inout Thread) throws -> Void]
    ) {
        (self.name, self.memory, self.end, self.threads) = (name, memory, end, threads)
    }
}

/// What the code of a thread uses. The code runs again from its beginning for each access, with the values that its
/// earlier accesses have read.
public struct Thread {
    /// The accesses that this execution has made so far: what they read, or nil for a store.
    let done: [Int?]
    private var position = 0

    init(done: [Int?]) { self.done = done }

    /// Why the code stops.
    enum Stop: Error {
        /// It makes an access that the execution does not have yet.
        case access(Access)
        /// It waits for a value that it has not read. Another execution, in which it reads the value, goes on.
        case wait
        case failure(String)
    }

    private mutating func make(_ kind: Access.Kind, _ location: Int, _ ordering: MemoryOrdering) throws -> Int? {
        if position == done.count { throw Stop.access(Access(kind: kind, location: location, ordering: ordering)) }
        position += 1
        return done[position - 1]
    }

    /// Reads a location.
    public mutating func load(_ location: Int, _ ordering: MemoryOrdering = .none) throws -> Int {
        try make(.load, location, ordering) ?? 0
    }

    /// Writes a value to a location.
    public mutating func store(_ value: Int, _ location: Int, _ ordering: MemoryOrdering = .none) throws {
        _ = try make(.store(value), location, ordering)
    }

    /// Writes a value to a location, and returns the former value.
    public mutating func exchange(_ value: Int, _ location: Int, _ ordering: MemoryOrdering) throws -> Int {
        try make(.update { _ in value }, location, ordering) ?? 0
    }

    /// Adds to the value of a location, and returns the former value.
    public mutating func add(_ value: Int, _ location: Int, _ ordering: MemoryOrdering) throws -> Int {
        try make(.update { $0 + value }, location, ordering) ?? 0
    }

    /// Replaces the value of a location if it is the expected one, and returns the former value.
    public mutating func compareExchange(
        _ expected: Int, _ desired: Int, _ location: Int, _ ordering: MemoryOrdering
    ) throws -> Int {
        try make(.update { $0 == expected ? desired : nil }, location, ordering) ?? 0
    }

    /// Stands for a loop that waits for a condition.
    public func wait(until condition: Bool) throws { if !condition { throw Stop.wait } }

    /// Ends the exploration with a message if a condition does not hold.
    public func check(_ condition: Bool, _ message: String) throws { if !condition { throw Stop.failure(message) } }
}
