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
