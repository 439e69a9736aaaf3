import Container
import Testing

/// Random services that take each other, some of them by a `Lazy`, and some of these read in completions.
@Suite("Random graphs with Lazy", .hangLimit)
struct LazyGraphTests {
    /// An instance of a service.
    final class Node {
        let service: Int
        let needs: [Node]
        let later: [(service: Int, lazy: Lazy<Node>)]
        /// The instances that the completion has read.
        var read: [Node] = []

        init(_ service: Int, _ needs: [Node], _ later: [(Int, Lazy<Node>)]) {
            (self.service, self.needs, self.later) = (service, needs, later)
        }
    }

    /// A random set of services. Service 0 is the root.
    struct Plan: Sendable {
        /// For each service, whether its scope is `.graph`. Otherwise it is `.transient`.
        let isInGraph: [Bool]
        /// For each service, those that its factory takes. Each is later than the service, so that there is no circle.
        let needs: [[Int]]
        /// For each service, those that its completion reads by a `Lazy`. Each is later than the service.
        let reads: [[Int]]
        /// For each service, those that it keeps as a `Lazy` that nobody reads while the graph is made.
        let keeps: [[Int]]

        init(count: Int) {
            func some(_ range: Range<Int>) -> [Int] { range.filter { _ in Int.random(in: 0..<4) == 0 } }
            isInGraph = (0..<count).map { _ in Int.random(in: 0..<3) > 0 }
            needs = (0..<count).map { some($0 + 1..<count) }
            reads = (0..<count).map { some($0 + 1..<count) }
            keeps = (0..<count).map { _ in some(0..<count) }
        }

        func container() -> Container {
            let container = Container()
            for service in isInGraph.indices {
                let entry = container.register(Node.self, name: "\(service)") { r in
                    let needs = try needs[service].map { try r.require(Node.self, name: "\($0)") }
                    let later = try (reads[service] + keeps[service]).map {
                        ($0, try r.require(Lazy<Node>.self, name: "\($0)"))
                    }
                    return Node(service, needs, later)
                }
                entry.inObjectScope(isInGraph[service] ? .graph : .transient)
                if reads[service].isEmpty { continue }
                entry.initCompleted { _, node in
                    node.read = try node.later.prefix(reads[service].count).map { try $0.lazy.get() }
                }
            }
            return container
        }
    }

    /// All instances that were made with the root, each once.
    private func graph(of root: Node) -> [Node] {
        var found = [root]
        var next = 0
        while next < found.count {
            for node in found[next].needs + found[next].read where !found.contains(where: { $0 === node }) {
                found.append(node)
            }
            next += 1
        }
        return found
    }

    @Test("A Lazy keeps what a completion has read of the graph, or else an instance of its own")
    func model() throws {
        var later = 0
        for _ in 0..<300 {
            let plan = Plan(count: .random(in: 2...6))
            let root = try plan.container().require(Node.self, name: "0")
            let graph = graph(of: root)
            for service in plan.isInGraph.indices where plan.isInGraph[service] {
                #expect(graph.count { $0.service == service } <= 1, "\(plan)")
            }
            var own: Set<ObjectIdentifier> = []
            for node in graph {
                for (index, read) in node.read.enumerated() { #expect(node.later[index].lazy.instance === read) }
                for (service, lazy) in node.later.dropFirst(node.read.count) {
                    let instance = lazy.instance
                    later += 1
                    #expect(instance === lazy.instance && instance.service == service)
                    #expect(own.insert(ObjectIdentifier(instance)).inserted, "\(plan)")
                    #expect(!graph.contains { $0 === instance })
                }
            }
        }
        #expect(later > 100)
    }
}
