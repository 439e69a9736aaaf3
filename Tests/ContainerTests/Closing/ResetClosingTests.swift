import Container
import Dispatch
import Testing

@Suite("Closing what a reset drops")
struct ResetClosingTests {
    let container = Container()
    let log = Log()

    final class Visitor: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    fileprivate func register(_ name: String, in scope: SharedScope = .session) {
        let (log, counter) = (log, Counter())
        container.register(Visitor.self, name: name) { _ in Visitor(counter.increment()) }.inObjectScope(scope)
            .onClose { log.write("\(name) \($0.number)") }
    }

    fileprivate func resolve(_ names: String...) {
        for name in names { #expect(container.resolve(Visitor.self, name: name) != nil) }
    }

    @Test("resetSession runs synchronous closures of the session's instances before it returns, in reverse order")
    func session() async {
        register("a")
        register("b")
        register("other", in: .container)
        resolve("a", "other", "b")
        container.resetSession()
        #expect(log.lines == ["b 1", "a 1"])
        resolve("b")
        Container(parent: container).resetSession()
        #expect(log.lines == ["b 1", "a 1", "b 2"])
        await container.closeSlowly()
        #expect(log.lines == ["b 1", "a 1", "b 2", "other 1"])
    }

    @Test("A reset of a child that is closing or closed resets its open parents")
    func childOfOpenParent() async {
        let child = Container(parent: container)
        register("a")
        child.register(Int.self) { _ in 1 }.inObjectScope(.container)
            .onClose { [unowned child] _ in child.resetSession() }
        resolve("a")
        #expect(child.resolve(Int.self) == 1)
        await child.closeSlowly()
        #expect(log.lines == ["a 1"])
        resolve("a")
        child.resetSession()
        #expect(log.lines == ["a 1", "a 2"])
    }

    @Test("removeAll closes all instances")
    func removeAll() async {
        register("a")
        register("b", in: .container)
        resolve("a", "b")
        container.removeAll()
        #expect(log.lines == ["b 1", "a 1"])
        await container.closeSlowly()
        #expect(log.lines.count == 2)
    }

    @Test("The first asynchronous closure of a reset and those after it run in a task, for which close waits")
    func asynchronous() async {
        // In a process of its own, because these closures have ten seconds, and other tests may occupy the threads that
        // run tasks for longer.
        await #expect(processExitsWith: .success) {
            let (tests, failures) = (ResetClosingTests(), Failures())
            let (container, log) = (tests.container, tests.log)
            failures.listen(to: container)
            tests.register("a")
            container.register(Visitor.self, name: "b") { _ in Visitor(1) }.inObjectScope(.session)
                .onClose { _ in
                    try await Task.sleep(for: .milliseconds(20))
                    log.write("b")
                    throw Failure("b")
                }
            tests.register("c")
            tests.resolve("a", "b", "c")
            container.resetSession()
            #expect(log.lines.first == "c 1")
            await container.closeSlowly()
            #expect(log.lines == ["c 1", "b", "a 1"])
            #expect(failures.all.map { $0.cause as? Failure } == [Failure("b")])
        }
    }

    @Test("An instance that a reset has detached during its construction is closed at the next reset")
    func detached() {
        let (log, container, counter) = (log, container, Counter())
        container.register(Visitor.self) { _ in
            if counter.increment() == 1 { container.resetSession() }
            return Visitor(counter.count)
        }.inObjectScope(.session).onClose { log.write("\($0.number)") }
        #expect(container.resolve(Visitor.self)?.number == 1)
        #expect(container.resolve(Visitor.self)?.number == 2)
        #expect(log.lines.isEmpty)
        container.resetSession()
        #expect(log.lines == ["2", "1"])
        container.removeAll()
    }

    @Test(
        "What was built from an instance that a reset closes meanwhile keeps that instance", arguments: [true, false])
    func builtFromClosed(hasCompletion: Bool) async {
        let (container, counter, taken, go) = (container, Counter(), Counter(), DispatchSemaphore(value: 0))
        register("base")
        let entry = container.register(Int.self) { r in
            let base = try r.require(Visitor.self, name: "base")
            if taken.increment() == 1 { go.wait() }
            return base.number
        }.inObjectScope(.container).onClose { _ in counter.increment() }
        if hasCompletion { entry.initCompleted { _, _ in } }
        let thread = Running { container.resolve(Int.self) }
        await until { taken.count == 1 }
        container.resetSession()
        go.signal()
        #expect(thread.result() == 1)
        #expect(container.resolve(Int.self) == 1)
        #expect(taken.count == 1 && counter.count == 0)
        await container.closeSlowly()
        #expect(counter.count == 1)
    }

    @Test("A closure may use the container and reset again")
    func nested() {
        let (log, container) = (log, container)
        register("a")
        container.register(Visitor.self, name: "b") { _ in Visitor(1) }.inObjectScope(.session)
            .onClose { [weak container] _ in
                _ = container?.resolve(Visitor.self, name: "a")
                container?.resetSession()
                log.write("b")
            }
        resolve("b")
        container.resetSession()
        #expect(log.lines == ["a 1", "b"])
    }
}
