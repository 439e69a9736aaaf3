import Container
import Foundation
import TestSupport
import Testing

/// A random set of services that need each other, and the threads or tasks that resolve them from a container and from
/// two children of it.
struct GraphPlan: Sendable, CustomStringConvertible {
    enum Kind { case container, child, graph }

    /// Whether a service is asynchronous. A synchronous one needs only synchronous ones.
    var isAsync: [Bool] = []
    /// For each service, the services that its factory resolves.
    var needs: [[Int]] = []
    /// For each service, the services that its completion resolves.
    var takes: [[Int]] = []
    /// Whether the factory resolves its services in child tasks, by service.
    var usesChildTasks: [Bool] = []
    var kinds: [Kind] = []
    /// For each thread or task, the container that it asks and the service that it resolves.
    var roots: [(container: Int, service: Int)] = []
    /// The service that throws an error when it is made for the first time, or nil.
    var failing: Int?

    /// Creates a plan for threads, or for tasks and services of which some are asynchronous.
    init(_ random: inout SplitMix, forTasks: Bool) {
        let count = Int.random(in: 2...6, using: &random)
        let odds = Int.random(in: 3...6, using: &random)
        isAsync = (0..<count).map { _ in forTasks && Int.random(in: 0..<3, using: &random) > 0 }
        for index in 0..<count {
            let possible = (0..<count).filter { $0 != index && (isAsync[index] || !isAsync[$0]) }
            needs.append(possible.filter { _ in Int.random(in: 0..<odds, using: &random) == 0 })
            takes.append(possible.filter { _ in Int.random(in: 0..<(forTasks ? 6 : 4), using: &random) == 0 })
            usesChildTasks.append(isAsync[index] && Int.random(in: 0..<3, using: &random) == 0)
            let last: Kind = isAsync[index] ? .child : .graph
            kinds.append([.container, .container, .container, .child, last].randomElement(using: &random) ?? last)
        }
        roots = (0..<Int.random(in: 2...(forTasks ? 8 : 4), using: &random)).map { _ in
            (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<count, using: &random))
        }
        if Int.random(in: 0..<5, using: &random) == 0 { failing = Int.random(in: 0..<count, using: &random) }
    }

    var description: String {
        "async \(isAsync), needs \(needs), takes \(takes), child tasks \(usesChildTasks), kinds \(kinds), "
            + "roots \(roots), failing \(failing.map(String.init) ?? "none")"
    }

    /// Whether a service leads to a circle of factories, or to any circle through an asynchronous service. Completions
    /// open circles of synchronous services, since they run later.
    func leadsToCircle(_ root: Int) -> Bool {
        reached(from: [root], by: { needs[$0] + takes[$0] }).contains { service in
            reached(from: needs[service], by: { needs[$0] }).contains(service)
                || isAsync[service] && isInCircle(service)
        }
    }

    private func isInCircle(_ service: Int) -> Bool {
        reached(from: needs[service] + takes[service], by: { needs[$0] + takes[$0] }).contains(service)
    }

    private func reached(from roots: [Int], by edges: (Int) -> [Int]) -> Set<Int> {
        var (found, open) = (Set(roots), roots)
        while let next = open.popLast() {
            for other in edges(next) where found.insert(other).inserted { open.append(other) }
        }
        return found
    }
}

/// An instance of a service of a plan.
final class GraphNode: @unchecked Sendable {
    // @unchecked: the lock guards `takes`. It is not a `Mutex`, because that causes false reports of ThreadSanitizer.
    let index: Int
    let needs: [GraphNode]
    private let released: Counter
    private let lock = NSLock()
    private var takes: [GraphNode]?
    init(_ index: Int, _ needs: [GraphNode], _ released: Counter) {
        (self.index, self.needs, self.released) = (index, needs, released)
    }
    deinit { released.increment() }
    var taken: [GraphNode]? { lock.withLock { takes } }
    func take(_ nodes: [GraphNode]?) { lock.withLock { takes = nodes } }

    /// This node and all nodes that are reachable from it.
    var all: [GraphNode] {
        var (seen, found, next) = (Set([ObjectIdentifier(self)]), [self], 0)
        while next < found.count {
            for node in found[next].needs + (found[next].taken ?? [])
            where seen.insert(ObjectIdentifier(node)).inserted { found.append(node) }
            next += 1
        }
        return found
    }
}

/// The containers of a plan, and what happens to its services.
struct GraphRecord: Sendable {
    let plan: GraphPlan
    let root = Container()
    let containers: [Container]
    /// The factory calls that returned, by service.
    let made: [Counter]
    let built = Results<GraphNode>()
    let closed = Results<GraphNode>()
    let released = Counter()
    let failures = Counter()

    init(_ plan: GraphPlan) {
        self.plan = plan
        containers = [root, Container(parent: root), Container(parent: root)]
        made = plan.needs.map { _ in Counter() }
        root.onFailure { _ in }
    }

    func add(_ index: Int, _ needs: [GraphNode]) -> GraphNode {
        let node = GraphNode(index, needs, released)
        made[index].increment()
        built.add(node)
        return node
    }

    /// Throws if the service is the one that fails, for the first time.
    func fail(_ index: Int) throws {
        if plan.failing == index, failures.increment() == 1 { throw Failure("injected") }
    }

    /// Sets the scope of a service, and the closure that records its closing.
    func setScope(of entry: RegistrationEntry<GraphNode>, _ index: Int) {
        switch plan.kinds[index] {
        case .container: entry.inObjectScope(.container).onClose { [closed] in closed.add($0) }
        case .child: entry.inObjectScope(.child).onClose { [closed] in closed.add($0) }
        case .graph: break
        }
    }

    /// Checks that a service in `.container` was made once, unless the plan has a failure or a circle.
    func checkMade(_ comment: Comment) {
        if plan.failing != nil || plan.needs.indices.contains(where: plan.leadsToCircle) { return }
        for index in plan.needs.indices where plan.kinds[index] == .container {
            #expect(made[index].count <= 1, comment)
        }
    }

    /// Closes the containers, and checks that each shared instance is closed once, and before what its factory has taken.
    func checkClosing(_ comment: Comment) async {
        for container in containers.reversed() {
            #expect(await container.close(timeout: .seconds(3600)).isEmpty, comment)
        }
        let closed = closed.all
        #expect(Set(closed.map { ObjectIdentifier($0) }).count == closed.count, comment)
        #expect(closed.count == built.all.count { plan.kinds[$0.index] != .graph }, comment)
        // A thread's completion that fails closes its instances while others are built.
        if plan.failing != nil, !plan.isAsync.contains(true) { return }
        for (place, node) in closed.enumerated() {
            for need in node.needs where !need.all.contains(where: { $0 === node }) {
                guard let other = closed.firstIndex(where: { $0 === need }) else { continue }
                #expect(place < other, "\(node.index) after \(need.index) in \(closed.map(\.index)), \(comment)")
            }
        }
    }

    /// Breaks the circles that completions have made, so that everything is released.
    func release() { for node in built.all { node.take(nil) } }
}
