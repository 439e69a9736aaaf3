import Container
import Foundation

/// What happens to one instance of a program. It outlives the instance.
final class Life: @unchecked Sendable {
    // @unchecked: the lock guards the state. It is not a `Mutex`, because that causes false reports of ThreadSanitizer.
    let index: Int
    /// The container whose registration built it, and whether that was the first registration of the service there.
    let home: Int
    let isFirstRegistration: Bool
    /// The number of the factory call.
    let serial: Int
    private let lock = NSLock()
    private var state = State()

    struct State {
        /// The instances that its factory and its completion have taken.
        var needs: [Life] = []
        var takes: [Life] = []
        /// Those of them that it has taken from its resolver. What it has taken from a captured container is no dependency.
        var dependencies: [Life] = []
        var isBuilt = false
        /// The number of hooks that had begun when the factory returned, and when the completion did.
        var closingsBefore = 0
        var closingsBeforeTakes = 0
        var isComplete = false
        /// The places in the order of closing at which its hook began.
        var closings: [Int] = []
        var isReleased = false
    }

    init(_ index: Int, home: Int, isFirstRegistration: Bool, serial: Int) {
        (self.index, self.home, self.isFirstRegistration, self.serial) = (index, home, isFirstRegistration, serial)
    }

    var now: State { lock.withLock { state } }
    /// Whether nothing is left of the instance, or its factory has failed.
    var isOver: Bool { lock.withLock { state.isReleased || !state.isBuilt } }
    func change(_ change: (inout State) -> Void) { lock.withLock { change(&state) } }

    /// Records what the factory or the completion takes.
    func take(_ other: Life, at place: Place, isDependency: Bool) {
        change {
            if place == .completion { $0.takes.append(other) }
            if isDependency { $0.dependencies.append(other) }
        }
    }

    /// This life and all that are reachable from it.
    var all: [Life] {
        var (seen, found, next) = (Set([ObjectIdentifier(self)]), [self], 0)
        while next < found.count {
            let now = found[next].now
            for part in now.needs + now.takes where seen.insert(ObjectIdentifier(part)).inserted { found.append(part) }
            next += 1
        }
        return found
    }
}

/// An instance of a service of a program.
final class Node: @unchecked Sendable {
    // @unchecked: the lock guards `taken` and `deferred`. The parts of its resolver that it keeps are never used.
    let life: Life
    let needs: [Node]
    private let resolver: Any?
    private let world: World
    private let lock = NSLock()
    private var taken: [Node] = []
    /// What the steps of its reader read, by step.
    private var deferred: [Deferred?]

    enum Deferred: Sendable {
        case lazy(Lazy<Node>)
        case provider(Provider<Node>)

        func get() throws -> Node {
            switch self {
            case .lazy(let lazy): try lazy.get()
            case .provider(let provider): try provider.get()
            }
        }
    }

    init(_ life: Life, _ needs: [Node], _ deferred: [Deferred?], keeping resolver: Any?, _ world: World) {
        (self.life, self.needs, self.deferred) = (life, needs, deferred)
        (self.resolver, self.world) = (resolver, world)
        life.change {
            $0.needs = needs.map(\.life)
            ($0.isBuilt, $0.closingsBefore) = (true, world.closingCount)
        }
        world.built.add(WeakNode(node: self))
    }

    deinit {
        life.change { $0.isReleased = true }
        world.runDeinitializer(of: life.index)
    }

    var readers: [Deferred?] { lock.withLock { deferred } }

    func take(_ nodes: [Node]) { change(nodes, readers) }

    /// Breaks the circles that completions have made, and the circles of unshared services through `Lazy` values.
    func release() { change([], []) }

    private func change(_ nodes: [Node], _ readers: [Deferred?]) {
        let former = lock.withLock {
            defer { (taken, deferred) = (nodes, readers) }
            return (taken, deferred)
        }
        withExtendedLifetime(former) {}
    }
}

/// Keeps no instance alive.
struct WeakNode: @unchecked Sendable {
    // @unchecked: the reference is set once, and a weak read is atomic.
    weak var node: Node?
}

/// Runs code of a service when a registration is released: a closure of the registration has captured it.
final class Token: Sendable {
    private let world: World
    private let index: Int
    init(_ world: World, _ index: Int) { (self.world, self.index) = (world, index) }
    deinit { world.runDeinitializer(of: index) }
}
