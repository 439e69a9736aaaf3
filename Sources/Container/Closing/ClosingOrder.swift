extension [ServiceRecord] {
    /// The hooks in the order in which they must run.
    var hooksInOrder: [CloseHook] {
        contains(where: \.hasHooks) ? closingOrder.flatMap { self[$0].hooks } : []
    }

    /// The indices in the order of closing: an instance comes before what it was built from, also before what a `Lazy`
    /// or `Provider` gave it later. Otherwise, and in a circle, it is the reverse order of completion.
    ///
    /// Instances in a circle are a strongly connected component (Kosaraju's algorithm).
    var closingOrder: [Int] {
        var indices: [ServiceKey: [Int]] = [:]
        for (index, record) in enumerated() { indices[record.registration.key, default: []].append(index) }
        let dependencies = map { record in record.takes.flatMap { indices[$0.key] ?? [] } }
        var users = dependencies.map { _ in [Int]() }
        for (index, others) in dependencies.enumerated() { for other in others { users[other].append(index) } }
        var seen: Set<Int> = []
        let order = self.indices.flatMap { Self.reached(from: $0, along: dependencies, &seen) }
        seen = []
        return order.reversed().flatMap { Self.reached(from: $0, along: users, &seen).sorted(by: >) }
    }

    /// Returns the indices that are reached from one and are not seen yet. An index comes after those that are reached
    /// from it, unless they are in a circle.
    private static func reached(from start: Int, along edges: [[Int]], _ seen: inout Set<Int>) -> [Int] {
        if seen.contains(start) { return [] }
        var found: [Int] = []
        var done: Set<Int> = []
        var open = [start]
        while let index = open.last {
            if seen.insert(index).inserted {
                open += edges[index].filter { !seen.contains($0) }
            } else {
                open.removeLast()
                if done.insert(index).inserted { found.append(index) }
            }
        }
        return found
    }
}
