/// A diagram of the services of a container: boxes by scope, arrows to what their instances have taken, and dashed ones to
/// what they have taken as a `Lazy` or a `Provider`. A service that follows its settings has a bold frame, and an arrow to
/// each settings table that its instance has read.
///
///     print(ContainerDiagram(of: container).mermaid)
public struct ContainerDiagram: Sendable {
    private let groups: [(scope: String, services: [RegisteredService])]
    /// The numbers of the services and of the settings tables, by which the text names them.
    private let services: [String: Int]
    private let tables: [String]
    private let edges: [Edge]

    private struct Edge: Sendable {
        let from: String
        let to: String
        let isDashed: Bool
    }

    /// Creates a diagram of the services that a container and its parents register.
    ///
    /// - Parameter container: the container. What its services take is known when their instances exist, so start it
    ///   first.
    public init(of container: Container) {
        var found: [RegisteredService] = []
        for container in sequence(first: container, next: \.parent) {
            let known = Set(found.map(\.service))
            found += container.registrations.filter { !known.contains($0.service) }
        }
        groups = Dictionary(grouping: found, by: \.scope).sorted { $0.key < $1.key }
            .map { (scope: $0.key, services: $0.value.sorted { $0.service < $1.service }) }
        let numbers = groups.flatMap(\.services).enumerated().map { ($1.service, $0) }
        services = Dictionary(numbers) { first, _ in first }
        tables = Set(found.flatMap(\.reads).map(Self.table)).sorted()
        edges = Self.edges(of: groups.flatMap(\.services), services, tables)
    }

    /// The first level of a name of a property.
    private static func table(of name: String) -> String {
        name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    }

    private static func edges(
        of all: [RegisteredService], _ services: [String: Int], _ tables: [String]
    ) -> [Edge] {
        all.enumerated().flatMap { number, service in
            let taken = service.takes.compactMap { take in
                services[take.service].map { Edge(from: "s\(number)", to: "s\($0)", isDashed: take.isDeferred) }
            }
            let target = service.target.flatMap { services[$0] }
            let read = Set(service.reads.map(table)).sorted().compactMap { tables.firstIndex(of: $0) }
            return taken + (target.map { [Edge(from: "s\(number)", to: "s\($0)", isDashed: false)] } ?? [])
                + read.map { Edge(from: "s\(number)", to: "t\($0)", isDashed: false) }
        }
    }

    private func numbered(_ group: [RegisteredService]) -> [(number: Int, service: RegisteredService)] {
        group.compactMap { service in services[service.service].map { ($0, service) } }
    }
}

// MARK: - Mermaid

extension ContainerDiagram {
    /// The text of the diagram for Mermaid, which forges render.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, group) in groups.enumerated() {
            lines.append("    subgraph g\(index)[\"\(Self.mermaid(group.scope))\"]")
            for (number, service) in numbered(group.services) {
                lines.append("        s\(number)[\"\(Self.mermaid(service.service))\"]")
            }
            lines.append("    end")
        }
        for (index, table) in tables.enumerated() { lines.append("    t\(index)[(\"\(Self.mermaid(table))\")]") }
        for edge in edges { lines.append("    \(edge.from) \(edge.isDashed ? "-.->" : "-->") \(edge.to)") }
        let following = groups.flatMap { numbered($0.services) }.filter(\.service.followsSettings).map {
            "s\($0.number)"
        }
        if !following.isEmpty {
            lines.append("    classDef following stroke-width:3px")
            lines.append("    class \(following.joined(separator: ",")) following")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Escapes what Mermaid does not accept between quotation marks.
    private static func mermaid(_ text: String) -> String {
        escaped(text, ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;"])
    }
}

// MARK: - DOT

extension ContainerDiagram {
    /// The text of the diagram for Graphviz.
    public var dot: String {
        var lines = ["digraph services {", "    rankdir=LR", "    node [shape=box]"]
        for (index, group) in groups.enumerated() {
            lines.append("    subgraph cluster\(index) {")
            lines.append("        label=\"\(Self.dot(group.scope))\"")
            for (number, service) in numbered(group.services) {
                let style = service.followsSettings ? " penwidth=3" : ""
                lines.append("        s\(number) [label=\"\(Self.dot(service.service))\"\(style)]")
            }
            lines.append("    }")
        }
        for (index, table) in tables.enumerated() {
            lines.append("    t\(index) [label=\"\(Self.dot(table))\" shape=cylinder]")
        }
        for edge in edges { lines.append("    \(edge.from) -> \(edge.to)\(edge.isDashed ? " [style=dashed]" : "")") }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func dot(_ text: String) -> String { escaped(text, ["\"": "\\\"", "\\": "\\\\"]) }

    private static func escaped(_ text: String, _ replacements: [Character: String]) -> String {
        text.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
    }
}
