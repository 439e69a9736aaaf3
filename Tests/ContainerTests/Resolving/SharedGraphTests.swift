import Container
import Testing

/// A service that is not `Sendable`.
private final class Tool {
    private let onEnd: () -> Void
    var isComplete = false

    init(onEnd: @escaping () -> Void = {}) { self.onEnd = onEnd }

    deinit { onEnd() }
}

/// A shared service, which keeps an unshared one.
private final class Press: @unchecked Sendable {
    // @unchecked: one thread at a time uses the tools in each test.
    let tool: Tool
    var other: Tool?
    let later: Lazy<Tool>?
    init(_ tool: Tool, later: Lazy<Tool>? = nil) { (self.tool, self.later) = (tool, later) }
}

private final class Printer {
    let tool: Tool?
    let press: Press?
    init(_ tool: Tool?, _ press: Press?) { (self.tool, self.press) = (tool, press) }
}

@Suite("The graph of a shared service", .hangLimit)
struct SharedGraphTests {
    let container = Container()

    init() {
        container.register(Tool.self) { _ in Tool() }
    }

    @Test(
        "A shared service has a graph of its own, in which its completion runs",
        arguments: [SharedScope.container, .weak, .session, .child])
    func own(scope: SharedScope) async throws {
        container.onFailure { _ in }  // Other tests compare what verify() says of the two tools.
        container.register(Press.self) { r in
            let press = Press(try r.require(Tool.self))
            #expect(try r.require(Tool.self) === press.tool)
            return press
        }.inObjectScope(scope).initCompleted { r, press in press.other = try r.require(Tool.self) }
        container.register(Printer.self) { r in Printer(try r.require(Tool.self), try r.require(Press.self)) }
        let printer = try container.require(Printer.self)
        #expect(printer.press?.tool !== printer.tool)
        #expect(printer.press?.other === printer.press?.tool)
        try await container.verify()
    }

    @Test("A Lazy reads from the graph of its shared service in the factory, and never from that of another service")
    func lazy() throws {
        let made = Counter()
        container.register(Tool.self) { _ in
            made.increment()
            return Tool()
        }
        container.register(Press.self) { r in
            let (read, later) = (try r.require(Lazy<Tool>.self), try r.require(Lazy<Tool>.self))
            let press = Press(try r.require(Tool.self), later: later)
            #expect(read.instance === press.tool)
            return press
        }.inObjectScope(.container)
        container.register(Printer.self) { r in
            let (press, tool) = (try r.require(Press.self), try r.require(Tool.self))
            #expect(press.later?.instance !== press.tool && press.later?.instance !== tool)
            return Printer(tool, press)
        }
        let printer = try container.require(Printer.self)
        #expect(printer.press?.later?.instance === printer.press?.later?.instance)
        #expect(made.count == 3)
    }

    @Test("What is left of the graph of a shared service whose factory throws is neither completed nor waited for")
    func failed() throws {
        let completions = Counter()
        container.register(Tool.self) { _ in Tool() }.initCompleted { _, _ in completions.increment() }
        container.register(Press.self, needs: Tool.self) { throw Failure("no paper") }.inObjectScope(.container)
        container.register(Shared.self) { r in
            #expect(r.resolve(Press.self) == nil)
            return Shared(1)
        }.inObjectScope(.container)
        container.onFailure { _ in }
        #expect(container.resolve(Shared.self)?.number == 1)
        #expect(completions.count == 0)
    }

    @Test("The graph of a shared service is released when the service is complete or has failed")
    func released() throws {
        let (made, ended) = (Counter(), Counter())
        container.register(Tool.self) { _ in
            made.increment()
            return Tool { ended.increment() }
        }.initCompleted { r, tool in tool.isComplete = r.resolve(Press.self) != nil }
        let calls = Counter()
        container.register(Press.self) { r in
            _ = try r.require(Tool.self)
            if calls.increment() == 1 { throw Failure("no paper") }
            return Press(Tool())
        }.inObjectScope(.container).initCompleted { _, _ in if calls.count == 2 { throw Failure("no ink") } }
        container.onFailure { _ in }
        for _ in 0..<2 { #expect(container.resolve(Press.self) == nil) }
        #expect(container.resolve(Press.self) != nil)
        #expect((made.count, ended.count) == (3, 3))
    }
}
