import PropertyLoadersEssentials
import Testing

@Suite("Swift values with cycles, over the limits, or without a table")
struct ReflectorTests {
    final class Node {
        var next: Node?
        var other: Node?
        weak var parent: Node?
        var any: Any = 0
        deinit { any = 0 }
    }

    struct Graph { let root: Node }

    private func failure(_ loader: StructPropertyLoader) -> PropertyLoadError? {
        do {
            _ = try loader.load()
            return nil
        } catch {
            return error as? PropertyLoadError
        }
    }

    @Test("An instance that contains itself is an error with both paths")
    func cycle() throws {
        let node = Node()
        node.next = Node()
        node.next?.other = node
        defer { node.next = nil }
        let error = try #require(failure(StructPropertyLoader(unchecked: Graph(root: node))))
        #expect(error.reason == .cycle)
        #expect(
            error.description == """
                Graph root.next.other: the `Node` here is also `root`, which contains it; expected values that do not \
                contain themselves. Load a value without this reference, or leave it out of the type's `customMirror`.
                """)
        let top = try #require(failure(StructPropertyLoader(unchecked: node)))
        #expect(top.description.hasPrefix("Node next.other: the `Node` here is also the top value, which contains it;"))
    }

    @Test("A weak reference back is a cycle, and so is one through a dictionary or a box")
    func hiddenCycles() throws {
        let node = Node()
        let child = Node()
        node.next = child
        child.parent = node
        #expect(failure(StructPropertyLoader(unchecked: node))?.reason == .cycle)
        child.parent = nil
        node.any = ["self": node]
        #expect(failure(StructPropertyLoader(unchecked: node))?.origin.label == "any.self")
        node.any = Graph(root: node)
        #expect(failure(StructPropertyLoader(unchecked: node))?.origin.label == "any.root")
        node.any = 0
    }

    @Test("An instance in two places is not a cycle, and neither is an array that contains the instance that has it")
    func shared() throws {
        let node = Node()
        node.next = Node()
        node.other = node.next
        node.any = [node]
        defer { node.any = 0 }
        #expect(names(try loaded(unchecked: node)) == ["any", "next.any", "other.any"])
    }

    @Test("Arrays and dictionaries that are shared at each level reach the limit, because each use counts")
    func explosion() throws {
        var array: [Any] = [1], table: [String: Any] = [:]
        for _ in 0..<60 { (array, table) = ([array, array], ["a": table, "b": table]) }
        let error = try #require(failure(StructPropertyLoader(unchecked: ["a": array] as [String: Any])))
        #expect(
            error.description == """
                Dictionary<String, Any> a: there are more than 50000 values up to here. Leave out what is not a property \
                (an instance in two places counts twice).
                """)
        #expect(failure(StructPropertyLoader(unchecked: table))?.reason == .limit)
    }

    private func chain(_ length: Int) -> Node {
        var node = Node()
        for _ in 1..<length {
            let next = Node()
            next.next = node
            node = next
        }
        return node
    }

    @Test("Tables may be nested up to the limit")
    func depth() throws {
        #expect(failure(StructPropertyLoader(unchecked: chain(64))) == nil)
        let error = try #require(failure(StructPropertyLoader(unchecked: chain(65))))
        #expect(error.reason == .limit)
        #expect(error.origin.label == Array(repeating: "next", count: 64).joined(separator: "."))
        #expect(error.problem == "more than 64 tables are nested here")
        #expect(error.remedy == "Flatten the value")
    }

    @Test("A dictionary deeper than the limit is an error; an array deeper than the limit stays one value")
    func deepContainers() throws {
        var table: [String: Any] = ["x": 1]
        var array: [Any] = [1]
        for _ in 0..<100 {
            table = ["x": table]
            array = [array]
        }
        #expect(failure(StructPropertyLoader(unchecked: table))?.reason == .limit)
        let layer = try StructPropertyLoader(unchecked: ["a": array] as [String: Any]).load()
        guard case .opaque = layer.table["a"]?.value else { throw Unexpected() }
    }

    enum Level: Sendable { case debug }
    struct Wrapper: RawRepresentable, Sendable { var rawValue = 1 }

    static let tops: [any Sendable] = [
        1, "text", true, [1, 2], Level.debug, Wrapper(), Int?.none, 1..<2, [1: "a"], Set(["a"]),
    ]

    @Test("A value without properties is not a table", arguments: tops.indices)
    func notATable(index: Int) throws {
        let error = try #require(failure(StructPropertyLoader(Self.tops[index])))
        #expect(error.reason == .notATable)
        #expect(
            error.description.hasSuffix(
                "; expected a struct, a class, a tuple or a dictionary with string keys. "
                    + "Put it into a struct, whose property gives it a name."))
    }

}
