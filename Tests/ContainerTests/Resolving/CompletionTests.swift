import Container
import Dispatch
import Foundation
import Synchronization
import Testing

/// A service that records whether its completion has run.
private final class Part: Sendable {
    private let flag = Atomic(false)
    let number: Int
    init(_ number: Int = 0) { self.number = number }
    var isComplete: Bool { flag.load(ordering: .sequentiallyConsistent) }
    func complete() { flag.store(true, ordering: .sequentiallyConsistent) }
}

private final class Whole: Sendable {
    let part: Part
    init(_ part: Part) { self.part = part }
}

private final class User: Sendable {}

@Suite("Completions of shared instances", .hangLimit)
struct CompletionTests {
    let container = Container()

    /// Resolves `Part` on another thread. Returns the instance and whether it was complete at that time, or nil if the
    /// thread does not finish.
    private func partOnThread() -> (part: Part, isComplete: Bool)? {
        Running { [container] in container.resolve(Part.self).map { ($0, $0.isComplete) } }.result() ?? nil
    }

    // MARK: - Instances are either complete or not kept

    @Test("A singleton and all its parts are completed even if the factory that resolved it throws")
    func completedAfterFailure() throws {
        container.register(Child.self) { _ in Child() }
            .initCompleted { r, child in child.parent = try r.require(Parent.self) }
        container.register(Parent.self) { r in Parent(child: try r.require(Child.self)) }.inObjectScope(.container)
        container.register(User.self, needs: Parent.self) { throw Failure("after") }
        #expect(failure { _ = try container.require(User.self) }?.cause as? Failure == Failure("after"))
        let parent = try container.require(Parent.self)
        #expect(parent.child?.parent === parent)
    }

    @Test(
        "If the completion of a part throws, the singleton that contains the part is not kept",
        arguments: [SharedScope.container, .session, .weak, nil])
    func partFails(scope: SharedScope?) throws {
        let made = Counter()
        let entry = container.register(Part.self) { _ in Part(made.increment()) }.initCompleted { _, part in
            if part.number == 1 { throw Failure("late") }
            part.complete()
        }
        if let scope { entry.inObjectScope(scope) }
        container.register(Whole.self) { r in Whole(try r.require(Part.self)) }.inObjectScope(.container)
        let error = failure { _ = try container.require(Whole.self) }
        #expect(error?.cause as? Failure == Failure("late"))
        let whole = try container.require(Whole.self)
        #expect(whole.part.isComplete && whole.part.number == 2)
        #expect(container.resolve(Whole.self) === whole)
    }

    @Test("A completion that throws costs its whole construction: what did not fail is built anew")
    func failsBeside() throws {
        let (made, failures) = (Counter(), Failures())
        failures.listen(to: container)
        container.register(Part.self) { _ in Part(made.increment()) }.inObjectScope(.container)
            .initCompleted { _, part in part.complete() }
        container.register(User.self) { _ in User() }.inObjectScope(.container)
            .initCompleted { _, _ in throw Failure("late") }
        container.register(Whole.self) { r in
            _ = try r.require(User.self)
            return Whole(try r.require(Part.self))
        }.inObjectScope(.container)
        #expect(container.resolve(Whole.self) == nil)
        #expect(failures.all.map(\.description) == ["Whole → User: the completion of User threw: late"])
        #expect(try container.require(Part.self).isComplete)
        #expect(made.count == 2)
    }

    @Test("Parts are completed even if the factory also resolves them from a captured container")
    func resolvesInside() throws {
        container.register(Child.self) { _ in Child() }.inObjectScope(.container)
            .initCompleted { r, child in child.parent = try r.require(Parent.self) }
        container.register([Child].self) { r in [try r.require(Child.self)] }
        container.register(Parent.self) { [container] r in
            let child = try r.require(Child.self)
            #expect(try container.require([Child].self)[0] === child)
            return Parent(child: child)
        }.inObjectScope(.container)
        let parent = try container.require(Parent.self)
        #expect(parent.child?.parent === parent)
        #expect(container.resolve(Parent.self) === parent)
    }

    @Test("A closure that closes an instance whose completion has thrown can resolve a service with a completion")
    func closes() throws {
        let failures = Failures()
        failures.listen(to: container)
        container.register(Part.self) { _ in Part() }.inObjectScope(.container)
            .initCompleted { _, part in part.complete() }
        container.register(User.self) { _ in User() }.inObjectScope(.container)
            .initCompleted { _, _ in throw Failure("late") }
            .onClose { [unowned container] _ in _ = container.resolve(Part.self) }
        #expect(container.resolve(User.self) == nil)
        #expect(failures.all.map(\.description) == ["User: the completion of User threw: late"])
        #expect(partOnThread()?.isComplete == true)
    }

    // MARK: - Resets during a construction

    @Test(
        "initCompleted can connect two services even if their scope is reset during the resolve",
        arguments: [true, false])
    func resetInCircle(inFactory: Bool) throws {
        container.register(Child.self) { [container] _ in
            if inFactory { container.reset(.container) }
            return Child()
        }.inObjectScope(.container).initCompleted { [container] r, child in
            if !inFactory { container.reset(.container) }
            child.parent = try r.require(Parent.self)
        }
        container.register(Parent.self) { r in Parent(child: try r.require(Child.self)) }.inObjectScope(.container)
        let parent = try container.require(Parent.self)
        #expect(parent.child?.parent === parent)
    }

    @Test(
        "Threads that wait for an instance get it even if its scope is reset or its key is registered again",
        arguments: [true, false])
    func resetWhileWaiting(isReset: Bool) throws {
        // The default scope is set, so that no thread finds a registration before its scope is.
        let container = Container(uncheckedDefaultObjectScope: .container)
        let (made, go) = (Counter(), DispatchSemaphore(value: 0))
        @Sendable func register() {
            container.register(Part.self) { _ in
                let number = made.increment()
                if number == 1 { go.wait() }
                return Part(number)
            }
        }
        register()
        let first = Running { container.resolve(Part.self)?.number }
        while made.count == 0 { sched_yield() }
        let asking = Counter()
        let others = (0..<7).map { _ in
            Running {
                asking.increment()
                return container.resolve(Part.self)?.number
            }
        }
        while asking.count < 7 { sched_yield() }
        usleep(20_000)
        if isReset { container.reset(.container) } else { register() }
        go.signal()
        #expect(first.result() == 1)
        // A thread that is slow to ask gets the second instance.
        #expect(others.allSatisfy { [1, 2].contains($0.result() ?? nil) })
        #expect(container.resolve(Part.self)?.number == 2)
    }
}
