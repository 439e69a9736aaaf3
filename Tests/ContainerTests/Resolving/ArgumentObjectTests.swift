import Container
import Testing

@Suite("Runtime arguments that equal nothing, or are objects, find an instance", .hangLimit)
struct ArgumentObjectTests {
    typealias Cell = ArgumentIdentityTests.Cell
    typealias Screen = ArgumentIdentityTests.Screen
    typealias Badge = ArgumentIdentityTests.Badge
    let container = Container()
    let made = Counter()

    @Test("A shared service is built from a NaN, and is the same for another one", arguments: [false, true])
    func notANumber(isWeak: Bool) throws {
        struct Point: Hashable { let x: Double, label: String }
        let scope = isWeak ? SharedScope.weak : .container
        container.register(Cell.self) { [made] (_, number: Double) in Cell("\(number) \(made.increment())") }
            .inObjectScope(scope)
        container.register(Cell.self) { (_, list: [Double]) in Cell("\(list)") }.inObjectScope(scope)
        container.register(Cell.self) { (_, point: Point) in Cell("\(point.x)") }.inObjectScope(scope)
        container.register(Cell.self) { (_, number: Float?, label: String) in Cell(label) }.inObjectScope(scope)
        let first = try container.require(Cell.self, arguments: Double.nan)
        #expect(first.label == "nan 1")
        #expect(try container.require(Cell.self, arguments: Double.nan) === first)
        #expect(try container.require(Cell.self, arguments: -Double.nan) === first)
        #expect(failure { _ = try container.require(Cell.self, arguments: 1.0) }?.reason == .otherArguments)
        #expect(made.count == 1)
        #expect(try container.require(Cell.self, arguments: [1, Double.nan]).label == "[1.0, nan]")
        #expect(try container.require(Cell.self, arguments: Point(x: .nan, label: "a")).label == "nan")
        let float = Optional(Float.nan)
        let labelled = try container.require(Cell.self, arguments: float, "a")
        #expect(failure { _ = try container.require(Cell.self, arguments: float, "b") }?.reason == .otherArguments)
        withExtendedLifetime(labelled) {}
    }

    @Test("In a graph, a NaN gives the same instance, and other values beside it another one")
    func notANumberInGraph() throws {
        container.register(Cell.self) { (_, number: Double, label: String) in Cell(label) }
        container.register(Screen.self) { r in
            Screen(try ["a", "a", "b"].map { try r.require(Cell.self, arguments: Double.nan, $0) })
        }
        let cells = try container.require(Screen.self).cells
        #expect(cells.map(\.label) == ["a", "a", "b"])
        #expect(cells[0] === cells[1])
    }

    /// The ways in which an object is an argument.
    enum Holding: CaseIterable { case plain, optional, array, dictionary, structure, nested, tuple }

    /// An object that keeps the service that is built from it.
    private final class Owner: Hashable, @unchecked Sendable {
        // @unchecked: one test uses it, on one thread.
        var cell: Cell?
        static func == (one: Owner, other: Owner) -> Bool { one === other }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    private struct Holder: Hashable, Sendable { let owner: Owner }

    private func cell(_ holding: Holding, _ owner: Owner) throws -> Cell {
        switch holding {
        case .plain: try container.require(Cell.self, arguments: owner)
        case .optional: try container.require(Cell.self, arguments: Optional(owner))
        case .array: try container.require(Cell.self, arguments: [owner])
        case .dictionary: try container.require(Cell.self, arguments: ["a": owner])
        case .structure: try container.require(Cell.self, arguments: Holder(owner: owner))
        case .nested: try container.require(Cell.self, arguments: [Optional(Holder(owner: owner))])
        case .tuple: try container.require(Cell.self, arguments: owner, 1)
        }
    }

    private func registerWeak() {
        container.register(Cell.self) { (_, _: Owner) in Cell("") }.inObjectScope(.weak)
        container.register(Cell.self) { (_, _: Owner?) in Cell("") }.inObjectScope(.weak)
        container.register(Cell.self) { (_, _: [Owner]) in Cell("") }.inObjectScope(.weak)
        container.register(Cell.self) { (_, _: [String: Owner]) in Cell("") }.inObjectScope(.weak)
        container.register(Cell.self) { (_, _: Holder) in Cell("") }.inObjectScope(.weak)
        container.register(Cell.self) { (_, _: [Holder?]) in Cell("") }.inObjectScope(.weak)
        container.register(Cell.self) { (_, _: Owner, _: Int) in Cell("") }.inObjectScope(.weak)
    }

    @Test("A weak instance is not kept alive by an object in its arguments", arguments: Holding.allCases)
    func weakObject(holding: Holding) throws {
        registerWeak()
        weak var (released, owner): (Cell?, Owner?) = (nil, nil)
        do {
            let keeper = Owner()
            let cell = try cell(holding, keeper)
            keeper.cell = cell
            (released, owner) = (cell, keeper)
        }
        #expect(released == nil)
        #expect(owner == nil)
    }

    @Test("A weak instance is found by the same object, and not by another one", arguments: Holding.allCases)
    func comparedObject(holding: Holding) throws {
        registerWeak()
        let owner = Owner()
        let first = try cell(holding, owner)
        #expect(try cell(holding, owner) === first)
        #expect(failure { _ = try cell(holding, Owner()) }?.reason == .otherArguments)
    }

    @Test("A weak instance that outlives its arguments is not found by a new object", arguments: Holding.allCases)
    func releasedObject(holding: Holding) throws {
        registerWeak()
        let first = try cell(holding, Owner())
        for _ in 0..<100 { #expect(failure { _ = try cell(holding, Owner()) }?.reason == .otherArguments) }
        withExtendedLifetime(first) {}
    }

    @Test("A weak instance is found by an object that is equal, also after the first one has been released")
    func equalObject() throws {
        container.register(Cell.self) { (_, badge: Badge) in Cell("\(badge.id)") }.inObjectScope(.weak)
        let first = try container.require(Cell.self, arguments: Badge(1))
        #expect(try container.require(Cell.self, arguments: Badge(1)) === first)
        let error = failure { _ = try container.require(Cell.self, arguments: Badge(2)) }
        #expect(error?.reason == .otherArguments)
    }
}
