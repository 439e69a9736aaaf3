public import Container

/// A diagram of the services of a container: boxes by scope, with arrows to the services that their instances
/// depend on. An arrow is dashed if the instance has a `Lazy` or a `Provider` of the service. A service that follows its
/// settings has a bold frame, and an arrow to each settings table that its instance has read. A service without an
/// instance has a dotted frame, and no arrow but to the service that it returns as another type.
///
///     print(ContainerDiagram(of: container).mermaid)
public struct ContainerDiagram: Sendable {
    private let groups: [(scope: String, boxes: [Node])]
    private let tables: [String]
    private let edges: [Edge]
    /// Whether an instance exists.
    private let isBuilt: Bool

    private struct Node: Sendable {
        let id: String
        let service: RegisteredService
    }

    private struct Edge: Sendable {
        let from: String
        let to: String
        var isDashed = false
    }

    /// Creates a diagram of the services that a container and its parents register.
    ///
    /// - Parameter container: the container. The arrows of a service are known when its instance exists, so start the
    ///   container first.
    public init(of container: Container) {
        let sorted = container.visibleRegistrations.sorted { ($0.scope, $0.service) < ($1.scope, $1.service) }
        let boxes = sorted.enumerated().map { Node(id: "s\($0)", service: $1) }
        groups = Dictionary(grouping: boxes, by: \.service.scope).sorted { $0.key < $1.key }
            .map { (scope: $0.key, boxes: $0.value) }
        tables = Set(sorted.flatMap(\.reads).map(Self.table)).sorted()
        edges = Self.edges(of: boxes, tables)
        isBuilt = sorted.contains(where: \.hasInstance)
    }

    /// The first level of a name of a property.
    private static func table(of name: String) -> String {
        name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    }

    private static func edges(of boxes: [Node], _ tables: [String]) -> [Edge] {
        let services = Dictionary(boxes.map { ($0.service.key, $0.id) }) { first, _ in first }
        let tables = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1, "t\($0)") })
        return boxes.flatMap { box in
            let dependencies = box.service.dependencies.compactMap { dependency in
                services[dependency.key].map { Edge(from: box.id, to: $0, isDashed: dependency.isDeferred) }
            }
            let target = box.service.targetKey.flatMap { services[$0] }.map { Edge(from: box.id, to: $0) }
            let read = Set(box.service.reads.map(table)).sorted().compactMap { tables[$0] }
            return dependencies + [target].compactMap(\.self) + read.map { Edge(from: box.id, to: $0) }
        }
    }

    private var boxes: [Node] { groups.flatMap(\.boxes) }

    /// The services whose arrows are not known, if the arrows of other services are known.
    private var unknown: Set<String> { isBuilt ? Set(boxes.filter { !$0.service.isKnown }.map(\.id)) : [] }

    /// A note about the missing arrows, or nil.
    private var note: String? {
        if !isBuilt { return "Nothing is built, so it is not known what the services depend on." }
        return unknown.isEmpty ? nil : "Dotted services have no instance, so their arrows are not known."
    }
}

// MARK: - Mermaid

extension ContainerDiagram {
    /// The text of the diagram for Mermaid, which forges render.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, group) in groups.enumerated() {
            lines.append("    subgraph g\(index)[\"\(Self.mermaid(group.scope))\"]")
            lines += group.boxes.map { "        \($0.id)[\"\(Self.mermaid($0.service.service))\"]" }
            lines.append("    end")
        }
        for (index, table) in tables.enumerated() { lines.append("    t\(index)[(\"\(Self.mermaid(table))\")]") }
        for edge in edges { lines.append("    \(edge.from) \(edge.isDashed ? "-.->" : "-->") \(edge.to)") }
        let unknown = unknown
        lines += style("following", "stroke-width:3px") { $0.service.followsSettings }
        lines += style("unknown", "stroke-dasharray:2") { unknown.contains($0.id) }
        if let note { lines += ["    note[\"\(Self.mermaid(note))\"]", "    style note fill:none,stroke:none"] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines that give some boxes a style.
    private func style(_ name: String, _ style: String, of isWanted: (Node) -> Bool) -> [String] {
        let ids = boxes.filter(isWanted).map(\.id).joined(separator: ",")
        return ids.isEmpty ? [] : ["    classDef \(name) \(style)", "    class \(ids) \(name)"]
    }

    /// Escapes the characters that Mermaid does not accept between quotation marks.
    private static func mermaid(_ text: String) -> String {
        escaped(text, ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;"])
    }
}

// MARK: - DOT

extension ContainerDiagram {
    /// The text of the diagram for Graphviz.
    public var dot: String {
        var lines = ["digraph services {", "    rankdir=LR", "    node [shape=box]"]
        if let note { lines.append("    label=\"\(Self.dot(note))\"") }
        let unknown = unknown
        for (index, group) in groups.enumerated() {
            lines += ["    subgraph cluster\(index) {", "        label=\"\(Self.dot(group.scope))\""]
            for box in group.boxes {
                let frame = box.service.followsSettings ? " penwidth=3" : ""
                let style = unknown.contains(box.id) ? " style=dotted" : ""
                lines.append("        \(box.id) [label=\"\(Self.dot(box.service.service))\"\(frame)\(style)]")
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

    private static func escaped(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
        // By scalars, because a quotation mark and a combining mark after it are one character.
        text.unicodeScalars.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
    }
}
