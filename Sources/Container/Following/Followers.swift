/// The current instances of the services that follow their settings, and which of them hold each other.
struct Followers {
    /// In the order of their completion.
    let current: [SharedInstance]
    /// For each, the other services that it holds, also if it holds their former instances. Services that hold each
    /// other are left out: none of them can be built before the other.
    let holds: [Set<Int>]
    /// The services that hold each other, as pairs.
    let circles: [(holder: Int, held: Int)]
    /// The services whose reads have changed, or that hold a former instance.
    let outdated: Set<Int>

    init(_ current: [SharedInstance], in container: Container) {
        let indices = Dictionary(zip(current.map(\.key), current.indices)) { $1 }
        let dependencies = current.map { shared in
            shared.taken.dependencies.filter { $0.isHeld && $0.belongs(to: container) }.compactMap { dependency in
                indices[dependency.key].map { (index: $0, id: dependency.id) }
            }
        }
        let reached = current.indices.map { Self.reached(from: $0, along: dependencies.map { $0.map(\.index) }) }
        holds = current.indices.map { holder in
            Set(dependencies[holder].map(\.index).filter { !reached[$0].contains(holder) && $0 != holder })
        }
        circles = current.indices.flatMap { holder in
            Set(dependencies[holder].map(\.index)).sorted().filter { $0 != holder && reached[$0].contains(holder) }
                .map { (holder, $0) }
        }
        outdated = Set(
            current.indices.filter { [holds] holder in
                let holdsFormer = dependencies[holder].contains {
                    holds[holder].contains($0.index) && $0.id != current[$0.index].id
                }
                return holdsFormer
                    || !(current[holder].reads.map { [$0].changes(in: container.properties).isEmpty } ?? true)
            })
        self.current = current
    }

    private static func reached(from start: Int, along edges: [[Int]]) -> Set<Int> {
        var (found, open) = (Set<Int>(), edges[start])
        while let next = open.popLast() {
            if found.insert(next).inserted { open += edges[next] }
        }
        return found
    }

    /// All instances that an instance holds, directly or through others.
    func allHeld(by index: Int) -> Set<Int> { Self.reached(from: index, along: holds.map(Array.init)) }

    /// The outdated services, and the services that hold one of them.
    var notCurrent: [Int] {
        current.indices.filter { outdated.contains($0) || !allHeld(by: $0).isDisjoint(with: outdated) }
    }
}
