import Container
import ContainerMigration
import Dispatch
import Testing

private enum Position: Sendable { case one, two, three }

private struct Opaque: Sendable { let number: Int }

@Suite("Runtime arguments belong to what finds an instance", .hangLimit)
struct ArgumentIdentityTests {
    /// A service that knows what it was built from.
    final class Cell: Sendable {
        let label: String
        init(_ label: String) { self.label = label }
    }

    final class Screen: Sendable {
        let cells: [Cell]
        init(_ cells: [Cell]) { self.cells = cells }
    }

    final class Badge: Sendable, Hashable {
        let id: Int
        init(_ id: Int) { self.id = id }
        static func == (one: Badge, other: Badge) -> Bool { one.id == other.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    let container = Container()
    let made = Counter()

    // MARK: - Graphs

    @Test("A graph has an instance for each of some arguments, and one for equal ones")
    func graph() throws {
        container.register(Cell.self) { (_, position: Position) in Cell("\(position)") }
        container.register(Screen.self) { r in
            Screen(try [.one, .two, .three, .one].map { (p: Position) in try r.require(Cell.self, arguments: p) })
        }
        let cells = try container.require(Screen.self).cells
        #expect(cells.map(\.label) == ["one", "two", "three", "one"])
        #expect(cells[0] === cells[3])
        #expect(try container.require(Screen.self).cells[0] !== cells[0])
    }

    @Test("Arguments that are not Hashable give a new instance each time")
    func opaque() throws {
        container.register(Cell.self) { (_, one: Opaque) in Cell("\(one.number)") }
        container.register(Cell.self) { (_, one: Int, other: Opaque) in Cell("\(one), \(other.number)") }
        container.register(Screen.self) { r in
            let one = Opaque(number: 1)
            return Screen([
                try r.require(Cell.self, arguments: one), try r.require(Cell.self, arguments: one),
                try r.require(Cell.self, arguments: 1, one), try r.require(Cell.self, arguments: 1, one),
            ])
        }
        let cells = try container.require(Screen.self).cells
        #expect(Set(cells.map { ObjectIdentifier($0) }).count == 4)
        #expect(cells.map(\.label) == ["1", "1", "1, 1", "1, 1"])
    }

    @Test("Arguments are compared by their values and their types")
    func comparison() throws {
        container.register(Cell.self) { (_, any: (any Sendable)?) in Cell("\(any ?? "nil")") }
        container.register(Cell.self) { (_, number: Int?) in Cell("\(number ?? -1)") }
        container.register(Cell.self) { (_, names: [String], isOn: Bool) in Cell("\(names) \(isOn)") }
        container.register(Cell.self) { (_, token: Badge) in Cell("\(token.id)") }
        container.register([[Cell]].self) { r in
            func any(_ values: (any Sendable)?...) throws -> [Cell] {
                try values.map { try r.require(Cell.self, arguments: $0) }
            }
            return [
                try any(1, 1.0, "1", 1),
                try [nil, 0, nil].map { (number: Int?) in try r.require(Cell.self, arguments: number) },
                try [true, false, true].map { try r.require(Cell.self, arguments: ["a"], $0) },
                try [1, 2, 1].map { try r.require(Cell.self, arguments: Badge($0)) },
            ]
        }
        let all = try container.require([[Cell]].self)
        #expect(
            all.map { cells in cells.map { cell in cells.firstIndex { $0 === cell } } }
                == [[0, 1, 2, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]])
    }

    @Test("The rule holds through unshared services, in completions, for names, for a type of implements and for A?")
    func graphPaths() throws {
        container.register(Cell.self, name: "n") { (_, position: Position) in Cell("\(position)") }
            .implements((any Sendable).self, name: "n")
        container.register(Cell.self, name: "one") { r in try r.require(Cell.self, name: "n", arguments: Position.one) }
        container.register(Cell.self, name: "two") { r in try r.require(Cell.self, name: "n", arguments: Position.two) }
        let completed = Results<[Cell]>()
        container.register(Screen.self) { r in
            Screen([
                try r.require(Cell.self, name: "one"), try r.require(Cell.self, name: "two"),
                try r.require((any Sendable).self, name: "n", arguments: Position.two) as! Cell,
                try r.require(Cell?.self, name: "n", arguments: Position.three) ?? Cell("none"),
                try #require(r.resolve(Cell.self, name: "n", arguments: Position.one)),
            ])
        }.initCompleted { r, _ in
            completed.add(
                try [.one, .two, .three].map { (p: Position) in try r.require(Cell.self, name: "n", arguments: p) })
        }
        let cells = try container.require(Screen.self).cells
        #expect(cells.map(\.label) == ["one", "two", "two", "three", "one"])
        #expect(cells[1] === cells[2] && cells[0] === cells[4])
        #expect(completed.all.first?.elementsEqual([cells[0], cells[1], cells[3]], by: ===) == true)
    }

    @Test("The rule holds in asynchronous factories and completions")
    func asyncGraph() async throws {
        container.register(Cell.self) { (_, position: Position) in Cell("\(position)") }
        let completed = Results<Cell>()
        container.register(Screen.self) { r async throws in
            var cells: [Cell] = []
            for position in [Position.one, .two, .one] {
                cells.append(try await r.require(Cell.self, arguments: position))
            }
            return Screen(cells)
        }.inObjectScope(.container).initCompleted { r, _ async throws in
            completed.add(try await r.require(Cell.self, arguments: Position.two))
            completed.add(try await r.require(Cell.self, arguments: Position.three))
        }
        let cells = try await container.require(async: Screen.self).cells
        #expect(cells.map(\.label) == ["one", "two", "one"])
        #expect(cells[0] === cells[2] && cells[1] === completed.all.first)
        #expect(completed.all.map(\.label) == ["two", "three"])
    }

    @Test("Two services of one graph that take a logger with different labels have different loggers")
    func loggers() throws {
        let parent = container
        parent.register(Cell.self) { (_, label: String) in Cell(label) }
        let child = Container(parent: parent)
        child.register([Cell].self) { r in [try r.require(Cell.self, arguments: "api")] }
        child.register(Screen.self) { r in
            Screen(try r.require([Cell].self) + [r.require(Cell.self, arguments: "jobs")])
        }
        #expect(try child.require(Screen.self).cells.map(\.label) == ["api", "jobs"])
    }

    @Test("A comparison of arguments may resolve from the same graph")
    func comparisonResolves() throws {
        container.register(Int.self) { _ in 7 }
        container.register(Cell.self) { (_, one: Comparing) in Cell("\(one.number)") }
        container.register(Screen.self) { [unowned container] r in
            Comparing.inside.set(container)
            return Screen(try [1, 2, 1].map { try r.require(Cell.self, arguments: Comparing(number: $0)) })
        }
        #expect(try container.require(Screen.self).cells.map(\.label) == ["1", "2", "1"])
        Comparing.inside.set(nil)
    }

    // MARK: - Shared scopes

    static let scopes: [SharedScope] = [.container, .session, .child, .weak, SharedScope("tenant")]

    @Test("A shared instance is an error for those who ask for it with other arguments", arguments: scopes)
    func shared(scope: SharedScope) throws {
        container.register(Cell.self) { (_, label: String, number: Int) in Cell("\(label)\(number)") }
            .inObjectScope(scope)
        let cell = try container.require(Cell.self, arguments: "a", 1)
        #expect(try container.require(Cell.self, arguments: "a", 1) === cell)
        let error = failure { _ = try container.require(Cell.self, arguments: "a", 2) }
        #expect(error?.reason == .otherArguments)
        #expect(
            error?.description
                == #"Cell: the shared instance of Cell was built from the arguments ("a", 1), and not ("a", 2). "#
                + "Give the same arguments everywhere, or register it in .graph or .transient")
        let failures = Failures()
        failures.listen(to: container)
        #expect(container.resolve(Cell.self, arguments: "b", 1) == nil)
        #expect(failures.all.map(\.reason) == [.otherArguments])
        #expect(container.resolve(Cell.self, arguments: "a", 1) === cell)
    }

    @Test("Arguments of a shared instance that cannot be compared are those of the first resolve", arguments: scopes)
    func sharedOpaque(scope: SharedScope) throws {
        container.register(Cell.self) { (_, one: Opaque) in Cell("\(one.number)") }.inObjectScope(scope)
        container.register(Cell.self) { (_, one: Opaque, label: String) in Cell("\(one.number)\(label)") }
            .inObjectScope(scope)
        let cell = try container.require(Cell.self, arguments: Opaque(number: 1))
        #expect(try container.require(Cell.self, arguments: Opaque(number: 2)) === cell)
        let other = try container.require(Cell.self, arguments: Opaque(number: 1), "a")
        #expect(try container.require(Cell.self, arguments: Opaque(number: 2), "a") === other)
        let error = failure { _ = try container.require(Cell.self, arguments: Opaque(number: 1), "b") }
        #expect(error?.description.contains(#"the arguments (_, "a"), and not (_, "b")"#) == true)
    }

    @Test("The error shows no password of a URL")
    func masked() throws {
        container.register(Cell.self) { (_, url: String, number: Int) in Cell("\(number)") }.inObjectScope(.container)
        _ = try container.require(Cell.self, arguments: "postgres://app:hunter2@db/app", 1)
        let error = failure { _ = try container.require(Cell.self, arguments: "postgres://app:swordfish@db/app", 1) }
        let text = error?.description ?? ""
        #expect(text.contains("postgres://app:") && text.contains("@db/app"))
        #expect(!text.contains("hunter2") && !text.contains("swordfish"))
    }

    @Test("The error has the path, in a child and from a parent's registration")
    func sharedPath() throws {
        container.register(Cell.self) { (_, label: String) in Cell(label) }.inObjectScope(.container)
            .implements((any Sendable).self)
        let child = Container(parent: container)
        child.register([Cell].self) { r in [try r.require(Cell.self, arguments: "api")] }
        child.register(Screen.self) { r in
            Screen(try r.require([Cell].self) + [r.require((any Sendable).self, arguments: "jobs") as! Cell])
        }.inObjectScope(.container)
        let error = failure { _ = try child.require(Screen.self) }
        #expect(error?.reason == .otherArguments)
        #expect(error?.path == ["Screen", "Cell"])
        #expect(try container.require(Cell.self, arguments: "api").label == "api")
    }

    @Test("Others may build it when the instance is gone")
    func gone() throws {
        container.register(Cell.self) { (_, label: String) in Cell(label) }.inObjectScope(.session)
        container.register(Cell.self) { (_, number: Int) in Cell("\(number)") }.inObjectScope(.weak)
        #expect(try container.require(Cell.self, arguments: "a").label == "a")
        container.resetSession()
        #expect(try container.require(Cell.self, arguments: "b").label == "b")
        #expect(try container.require(Cell.self, arguments: 1).label == "1")
        #expect(try container.require(Cell.self, arguments: 2).label == "2")
        container.register(Cell.self) { [made] (_, label: String) in
            if made.increment() == 1 { throw Failure("cold") }
            return Cell(label)
        }.inObjectScope(.container)
        #expect(failure { _ = try container.require(Cell.self, arguments: "c") }?.reason == .factoryFailed)
        #expect(try container.require(Cell.self, arguments: "d").label == "d")
    }

    @Test("Each child has its own arguments in .child")
    func children() throws {
        container.register(Cell.self) { (_, label: String) in Cell(label) }.inObjectScope(.child)
        let children = ["a", "b"].map { ($0, Container(parent: container)) }
        for (label, child) in children + children {
            #expect(try child.require(Cell.self, arguments: label).label == label)
        }
        let error = failure { _ = try children[0].1.require(Cell.self, arguments: "b") }
        #expect(error?.reason == .otherArguments)
    }

    @Test("A weak scope keeps no argument that is an object")
    func weakArgument() throws {
        container.register(Cell.self) { (_, token: Badge) in Cell("\(token.id)") }.inObjectScope(.weak)
        var token: Badge? = Badge(1)
        weak let former = token
        let cell = try container.require(Cell.self, arguments: #require(token))
        token = nil
        #expect(former == nil)
        #expect(try container.require(Cell.self, arguments: Badge(1)) === cell)
        #expect(failure { _ = try container.require(Cell.self, arguments: Badge(2)) }?.reason == .otherArguments)
    }

    @Test("A thread that waits for an instance of other arguments gets the error")
    func waiting() async throws {
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        container.register(Cell.self) { (_, label: String) in
            began.signal()
            mayEnd.wait()
            return Cell(label)
        }.inObjectScope(.container)
        let first = Running { [container] in try? container.require(Cell.self, arguments: "a").label }
        await offPool { began.wait() }
        let same = Running { [container] in try? container.require(Cell.self, arguments: "a").label }
        let other = Running { [container] in failure { _ = try container.require(Cell.self, arguments: "b") }?.reason }
        mayEnd.signal()
        #expect(await offPool { first.result() } == .some("a"))
        #expect(await offPool { same.result() } == .some("a"))
        #expect(await offPool { other.result() } == .some(.otherArguments))
    }

    @Test("The rule holds for a shared service that is completed asynchronously")
    func asyncShared() async throws {
        container.register(Cell.self) { (_, label: String) in Cell(label) }.inObjectScope(.container)
            .initCompleted { _, _ async in await Task.yield() }
        container.register(Screen.self) { r async throws in
            Screen([try await r.require(Cell.self, arguments: "a"), try await r.require(Cell.self, arguments: "a")])
        }
        container.register([Cell].self) { r async throws in [try await r.require(Cell.self, arguments: "b")] }
        let cells = try await container.require(async: Screen.self).cells
        #expect(cells[0] === cells[1])
        #expect(await failure(async: [Cell].self, in: container)?.reason == .otherArguments)
    }

    // MARK: - Many arguments

    private struct Counted: Hashable, Sendable {
        static let comparisons = Counter()
        let number: Int
        static func == (one: Counted, other: Counted) -> Bool {
            comparisons.increment()
            return one.number == other.number
        }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test("A graph looks up each of many arguments without comparing it with all others")
    func many() throws {
        container.register(Cell.self) { (_, counted: Counted) in Cell("\(counted.number)") }
        container.register(Screen.self) { r in
            Screen(try (0..<4_000).map { try r.require(Cell.self, arguments: Counted(number: $0 % 2_000)) })
        }
        let cells = try container.require(Screen.self).cells
        #expect(Set(cells.map { ObjectIdentifier($0) }).count == 2_000)
        #expect(zip(cells, cells.dropFirst(2_000)).allSatisfy { $0 === $1 })
        #expect((2_000..<10_000).contains(Counted.comparisons.count))
    }

    @available(*, deprecated)
    @Test("Swinject's spellings have the same rule")
    func swinject() throws {
        container.register(Cell.self) { (_, a: Int, b: Int, c: Int, d: Int) in Cell("\(a)\(b)\(c)\(d)") }
        container.register(Screen.self) { r in
            Screen(try [1, 2, 1].map { try #require(r.resolve(Cell.self, arguments: 0, 0, 0, $0)) })
        }
        let cells = try container.require(Screen.self).cells
        #expect(cells.map(\.label) == ["0001", "0002", "0001"])
        #expect(cells[0] === cells[2])
    }
}

/// A value whose comparison resolves a service.
private struct Comparing: Hashable, Sendable {
    static let inside = Inside()
    let number: Int

    static func == (one: Comparing, other: Comparing) -> Bool {
        _ = inside.container?.resolve(Int.self)
        return one.number == other.number
    }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The container that the comparison resolves from.
private final class Inside: @unchecked Sendable {
    // @unchecked: one test uses it, on one thread.
    private(set) var container: Container?
    func set(_ new: Container?) { container = new }
}
