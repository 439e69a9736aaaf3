import Explorer

/// The memory of a model: names for the locations, which are numbers.
struct Layout {
    private(set) var memory: [Int] = []

    mutating func location(_ value: Int = 0) -> Int {
        memory.append(value)
        return memory.count - 1
    }

    /// Adds objects with the numbers from 1 to `count`, of which the first ones exist.
    mutating func objects(_ count: Int, existing: Int = 1) -> Objects {
        let all = (1...count).map { number in (isAlive: location(number <= existing ? 1 : 0), retains: location(1)) }
        return Objects(all: all)
    }
}

/// Objects that are counted and released as Swift does. Each has an initial retain, that of the reference that gets it.
struct Objects: Sendable {
    /// The locations of each object. `isAlive` stands for its contents and is not atomic, so that a use and a release
    /// that are not ordered are a data race.
    fileprivate let all: [(isAlive: Int, retains: Int)]

    func make(_ object: Int, _ thread: inout Thread) throws { try thread.store(1, all[object - 1].isAlive) }

    func use(_ object: Int, _ thread: inout Thread) throws {
        try thread.check(try thread.load(all[object - 1].isAlive) == 1, "a released object is used")
    }

    func retain(_ object: Int, _ thread: inout Thread) throws {
        try use(object, &thread)
        _ = try thread.add(1, all[object - 1].retains, .relaxed)
    }

    func release(_ object: Int, _ thread: inout Thread) throws {
        let former = try thread.add(-1, all[object - 1].retains, .acquiringAndReleasing)
        try thread.check(former > 0, "an object is released twice")
        if former == 1 { try thread.store(0, all[object - 1].isAlive) }
    }
}
