import SharedState

extension [SharedInstance] {
    /// For each instance, the indices of the instances that it was built from, or got later from a `Lazy` or `Provider`.
    fileprivate var heldIndices: [[Int]] {
        let ids = Dictionary(enumerated().map { ($1.id, $0) }) { first, _ in first }
        var keys: [ServiceKey: [Int]] = [:]
        for (index, shared) in enumerated() { keys[shared.key, default: []].append(index) }
        return map { shared in
            shared.taken.dependencies.flatMap { dependency in
                dependency.isDeferred ? keys[dependency.key] ?? [] : ids[dependency.id].map { [$0] } ?? []
            }
        }
    }

    /// The indices in the order of closing: an instance comes before the instances that it was built from, or got later
    /// from a `Lazy` or `Provider`. Otherwise, and in a circle, the instance that became complete last comes first.
    ///
    /// Instances in a circle are a strongly connected component (Kosaraju's algorithm).
    var closingOrder: [Int] {
        let order = map(\.completionOrder), dependencies = heldIndices
        let dependents = dependencies.reversedEdges
        let byCompletion = indices.sorted { order[$0] < order[$1] }
        var seen: Set<Int> = []
        let reached = byCompletion.flatMap { Self.reached(from: $0, along: dependencies, &seen) }
        seen = []
        return reached.reversed().flatMap { start in
            Self.reached(from: start, along: dependents, &seen).sorted { order[$0] > order[$1] }
        }
    }

    /// Returns the indices that are reached from an index and are not seen yet. An index comes after the indices that
    /// are reached from it, unless they are in a circle.
    fileprivate static func reached(from start: Int, along edges: [[Int]], _ seen: inout Set<Int>) -> [Int] {
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

/// Finds which of the instances of several teardowns hold each other, also through instances that stay open.
struct Holders {
    private let all: [SharedInstance]
    private let held: [[Int]]
    private let holders: [[Int]]
    private let indices: [UInt64: Int]

    init(of instances: [SharedInstance], in containers: [Container]) {
        all = instances + containers.flatMap { $0.registry.withRead { $0.life.closing.toClose } }
        held = all.heldIndices
        holders = held.reversedEdges
        indices = Dictionary(all.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Returns the first of some instances that holds an instance, or nil. Instances that hold each other do not wait for
    /// each other.
    func holder(of shared: SharedInstance, among others: [SharedInstance]) -> SharedInstance? {
        let holding = reached(from: shared.id, along: holders).subtracting(reached(from: shared.id, along: held))
        return others.first { holding.contains($0.id) }
    }

    private func reached(from id: UInt64, along edges: [[Int]]) -> Set<UInt64> {
        guard let start = indices[id] else { return [] }
        var seen: Set<Int> = []
        return Set([SharedInstance].reached(from: start, along: edges, &seen).map { all[$0].id })
    }
}

extension [[Int]] {
    /// The same edges in the other direction.
    fileprivate var reversedEdges: [[Int]] {
        var reversed = map { _ in [Int]() }
        for (index, others) in enumerated() { for other in others { reversed[other].append(index) } }
        return reversed
    }
}
