/// What a container must close. The container's lock guards it.
struct ClosingState {
    enum Phase {
        case open
        /// The signal is sent when all is closed.
        case closing(Signal<[ResolutionError]>)
        case closed([ResolutionError])
    }

    var phase = Phase.open
    /// The shared instances that the container keeps, in the order in which they were completed.
    var records: [ServiceRecord] = []
    /// The number of shared instances under construction, and of removed instances whose hooks run in a task.
    var activities = 0
    /// Run when no activity is left.
    var whenIdle: [@Sendable () -> Void] = []

    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Removes the records that fulfil a condition, and returns them.
    mutating func removeRecords(where isRemoved: (ServiceRecord) -> Bool) -> [ServiceRecord] {
        let removed = records.filter(isRemoved)
        if !removed.isEmpty { records.removeAll(where: isRemoved) }
        return removed
    }

    /// Records that an activity has ended, and returns what is to run outside of the lock.
    mutating func endActivity() -> [@Sendable () -> Void] {
        activities -= 1
        if activities > 0 { return [] }
        defer { whenIdle = [] }
        return whenIdle
    }
}

/// A shared instance that a container keeps until it is closed.
struct ServiceRecord: Sendable {
    let registration: Registration
    let instance: StoredInstance
    /// What the instance was built from.
    let takes: [Take]

    /// Whether something closes the instance.
    var hasHooks: Bool { registration.isKept && (!registration.options.closures.isEmpty || isCloseable) }

    private var isCloseable: Bool { registration.form.closeable(in: instance) != nil }

    /// The hooks of the instance, in the order in which they run: those of `onClose` from the last to the first, or else
    /// the one of `Closeable`.
    var hooks: [CloseHook] {
        if !registration.isKept { return [] }
        var closures = registration.options.closures
        let form = registration.form
        if closures.isEmpty, isCloseable { closures = [.asynchronous { try await form.closeable(in: $0)?.close() }] }
        return closures.reversed().map { CloseHook(key: registration.key, closure: $0, instance: instance) }
    }
}

/// A shared service that another shared service has taken.
struct Take: Hashable, Sendable {
    let key: ServiceKey
    /// Whether it was taken as a `Lazy` or `Provider`, which looks the instance up later.
    let isDeferred: Bool
}

// MARK: - Order

extension [ServiceRecord] {
    /// The hooks in the order in which they must run.
    func hooksInOrder(aliases: [ServiceKey: ServiceKey]) -> [CloseHook] {
        if !contains(where: \.hasHooks) { return [] }
        return closingOrder(aliases: aliases).flatMap { self[$0].hooks }
    }

    /// The indices in the order of closing: an instance comes before what it was built from, also before what a `Lazy`
    /// or `Provider` gave it later. Otherwise, and in a circle, it is the reverse order of completion.
    ///
    /// - Parameter aliases: the keys that forward to others.
    /// - Returns: each index once.
    func closingOrder(aliases: [ServiceKey: ServiceKey]) -> [Int] {
        var order = ClosingOrder(self, aliases)
        return order.components().reversed().flatMap { $0.sorted(by: >) }
    }
}

/// The strongly connected components of instances and what they were built from (Tarjan's algorithm): first those that
/// the others were built from.
private struct ClosingOrder {
    private let dependencies: [[Int]]
    private var numbers: [Int]
    private var lowest: [Int]
    private var stack: [Int] = []
    private var isOnStack: [Bool]
    private var count = 0
    private var found: [[Int]] = []

    init(_ records: [ServiceRecord], _ aliases: [ServiceKey: ServiceKey]) {
        var indices: [ServiceKey: [Int]] = [:]
        for (index, record) in records.enumerated() { indices[record.registration.key, default: []].append(index) }
        dependencies = records.map { record in
            record.takes.flatMap { indices[aliases[$0.key] ?? $0.key] ?? [] }
        }
        numbers = Array(repeating: -1, count: records.count)
        lowest = numbers
        isOnStack = Array(repeating: false, count: records.count)
    }

    mutating func components() -> [[Int]] {
        for index in dependencies.indices where numbers[index] < 0 { visit(index) }
        return found
    }

    private mutating func visit(_ index: Int) {
        numbers[index] = count
        lowest[index] = count
        count += 1
        stack.append(index)
        isOnStack[index] = true
        for other in dependencies[index] {
            if numbers[other] < 0 {
                visit(other)
                lowest[index] = min(lowest[index], lowest[other])
            } else if isOnStack[other] {
                lowest[index] = min(lowest[index], numbers[other])
            }
        }
        guard lowest[index] == numbers[index], let start = stack.lastIndex(of: index) else { return }
        found.append(Array(stack[start...]))
        for member in stack[start...] { isOnStack[member] = false }
        stack.removeSubrange(start...)
    }
}
