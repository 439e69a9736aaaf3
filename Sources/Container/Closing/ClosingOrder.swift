extension [ServiceRecord] {
    /// The hooks in the order in which they must run.
    var hooksInOrder: [CloseHook] {
        contains(where: \.hasHooks) ? closingOrder.flatMap { self[$0].hooks } : []
    }

    /// The indices in the order of closing: an instance comes before what it was built from, also before what a `Lazy`
    /// or `Provider` gave it later. Otherwise it is the reverse order of completion.
    var closingOrder: [Int] {
        var indices: [ServiceKey: [Int]] = [:]
        for (index, record) in enumerated() { indices[record.registration.key, default: []].append(index) }
        let dependencies = map { record in record.takes.flatMap { indices[$0.key] ?? [] } }
        var order: [Int] = []
        var seen: Set<Int> = []
        func visit(_ index: Int) {
            if !seen.insert(index).inserted { return }
            for other in dependencies[index] {
                // In a circle, the reverse order of completion decides.
                if other < index || !reaches(index, from: other) { visit(other) }
            }
            order.append(index)
        }
        func reaches(_ end: Int, from start: Int) -> Bool {
            var (found, open) = (Set([start]), [start])
            while let next = open.popLast() {
                open += dependencies[next].filter { found.insert($0).inserted }
            }
            return found.contains(end)
        }
        for index in self.indices { visit(index) }
        return order.reversed()
    }
}
