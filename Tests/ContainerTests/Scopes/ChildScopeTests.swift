import Container
import Testing

@Suite("The scope .child")
struct ChildScopeTests {
    let parent = Container()

    final class Request: Sendable {
        let text: String
        init(_ text: String = "") { self.text = text }
    }
    protocol Tracing: Sendable {}
    protocol Logging: Sendable {}
    final class Tracer: Tracing, Logging {}

    @Test("Each child has one instance, and so has the container that registers the service")
    func instances() {
        parent.register(Request.self) { _ in Request() }.inObjectScope(.child)
        let children = (0..<3).map { _ in Container(parent: parent) }
        let all = children + [parent]
        // Twice, because the first resolve of one container must not change what another one gets.
        for _ in 0..<2 {
            let instances = all.compactMap { $0.resolve(Request.self) }
            #expect(instances.count == 4 && Set(instances.map { ObjectIdentifier($0) }).count == 4)
            #expect(zip(all, instances).allSatisfy { $0.resolve(Request.self) === $1 })
        }
    }

    @Test("A grandchild has an instance of its own, whether it or its parent asks first", arguments: [true, false])
    func grandchild(childIsFirst: Bool) {
        parent.register(Request.self) { _ in Request() }.inObjectScope(.child)
        let child = Container(parent: parent)
        let grandchild = Container(parent: child)
        let first = (childIsFirst ? child : grandchild).resolve(Request.self)
        let second = (childIsFirst ? grandchild : child).resolve(Request.self)
        #expect(first != nil && second != nil && first !== second)
        #expect(first === (childIsFirst ? child : grandchild).resolve(Request.self))
        #expect(second === (childIsFirst ? grandchild : child).resolve(Request.self))
    }

    @Test("The factory sees the child's overrides, and a container-scope service of the parent does not")
    func overrides() {
        parent.register(String.self) { _ in "parent" }
        parent.register(Request.self) { r in Request(try r.require(String.self)) }.inObjectScope(.child)
        parent.register(Request.self, name: "shared") { r in try r.require(Request.self) }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(String.self) { _ in "child" }
        #expect(child.resolve(Request.self)?.text == "child")
        #expect(child.resolve(Request.self, name: "shared")?.text == "parent")
        #expect(parent.resolve(Request.self)?.text == "parent")
    }

    @Test("A child's own registration replaces the parent's, before and after the child has an instance")
    func replaced() {
        parent.register(Request.self) { _ in Request("parent") }.inObjectScope(.child)
        let child = Container(parent: parent)
        #expect(child.resolve(Request.self)?.text == "parent")
        child.register(Request.self) { _ in Request("child") }
        #expect(child.resolve(Request.self)?.text == "child")
        #expect(parent.resolve(Request.self)?.text == "parent")
    }

    @Test("If the parent registers the service again, a child that has resolved it keeps its registration")
    func registeredAgain() {
        parent.register(Request.self) { _ in Request("old") }.inObjectScope(.child)
        let (early, late) = (Container(parent: parent), Container(parent: parent))
        #expect(early.resolve(Request.self)?.text == "old")
        parent.register(Request.self) { _ in Request("new") }.inObjectScope(.child)
        #expect(early.resolve(Request.self)?.text == "old")
        #expect(late.resolve(Request.self)?.text == "new")
    }

    @Test("All types of a service return the child's one instance, in any order of asking", arguments: [0, 1, 2])
    func implements(first: Int) throws {
        parent.register(Tracer.self) { _ in Tracer() }.inObjectScope(.child)
            .implements((any Tracing).self, (any Logging).self)
        let child = Container(parent: parent)
        if first == 1 { #expect(child.resolve((any Logging).self) != nil) }
        if first == 2 { #expect(child.resolve(Tracer.self) != nil) }
        let tracing = try #require(child.resolve((any Tracing).self) as? Tracer)
        #expect(tracing === child.resolve((any Logging).self) as? Tracer)
        #expect(tracing === child.resolve(Tracer.self))
        #expect(tracing !== parent.resolve((any Tracing).self) as? Tracer)
    }

    @Test("reset(.child) removes the instance of the child and that of the parent")
    func reset() {
        parent.register(Request.self) { _ in Request() }.inObjectScope(.child)
        let child = Container(parent: parent)
        let before = (child.resolve(Request.self), parent.resolve(Request.self))
        child.reset(.child)
        #expect(before.0 != nil && before.0 !== child.resolve(Request.self))
        #expect(before.1 != nil && before.1 !== parent.resolve(Request.self))
    }

    @Test("verify() of a child builds .child services with its overrides, and adds no registration to it")
    func verifies() async throws {
        parent.register(Request.self) { r in Request(try r.require(String.self)) }.inObjectScope(.child)
        let child = Container(parent: parent)
        child.register(String.self) { _ in "child" }
        await #expect(throws: ConfigurationErrors.self) { try await parent.verify() }
        try await child.verify()
        #expect(child.description.hasPrefix("Container with 1 registration "))
        #expect(child.resolve(Request.self)?.text == "child")
        try await child.verify()
    }
}

@Suite("Overrides that nothing sees")
struct UnseenOverrideTests {
    let parent = Container()

    final class Clock: Sendable {}
    final class Middle { init(_ clock: Clock?) {} }
    final class Report: Sendable { init(_ clock: Clock?) {} }
    final class Page: Sendable { init(_ report: Report) {} }

    private func problems(_ container: Container) async -> [String] {
        await serviceProblems(of: container).map(\.description)
    }

    @Test(
        "verify() of a child reports a shared service of the parent that takes the parent's version",
        arguments: [SharedScope.container, .session])
    func direct(scope: SharedScope) async {
        parent.register(Clock.self) { _ in Clock() }
        parent.register(Report.self) { r in Report(try r.require(Clock.self)) }.inObjectScope(scope)
        parent.register(Page.self) { r in Page(try r.require(Report.self)) }
        let child = Container(parent: parent)
        #expect(await problems(child).isEmpty)
        child.register(Clock.self) { _ in Clock() }
        #expect(
            await problems(child) == [
                "Report → Clock: Clock is registered in this child, but Report in the parent, whose scope is \(scope), does not see it. Register Report in the child too, or give it the scope .child"
            ])
        #expect(await problems(parent).isEmpty)
    }

    @Test("The report follows unshared services, optional dependencies, completions and several generations")
    func paths() async {
        parent.register(Clock.self) { _ in Clock() }
        parent.register(Middle.self) { r in Middle(r.resolve(Clock.self)) }
        parent.register(Report.self) { _ in Report(nil) }.inObjectScope(.container)
            .initCompleted { r, _ in _ = try r.require(Middle.self) }
        let child = Container(parent: parent)
        child.register(Clock.self) { _ in Clock() }
        let expected =
            "Report → Clock: Clock is registered in this child, but Report in the parent, whose scope is container, does not see it. Register Report in the child too, or give it the scope .child"
        #expect(await problems(child) == [expected])
        #expect(await problems(Container(parent: child)) == [expected])
    }

    @Test("The remedies help: a registration in the child, and the scope .child")
    func remedies() async {
        parent.register(Clock.self) { _ in Clock() }
        parent.register(Report.self) { r in Report(try r.require(Clock.self)) }.inObjectScope(.container)
        parent.register(Page.self) { r in Page(try r.require(Report.self)) }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Clock.self) { _ in Clock() }
        #expect(await problems(child).map { $0.prefix(15) } == ["Report → Clock:"])
        child.register(Report.self) { r in Report(try r.require(Clock.self)) }.inObjectScope(.container)
        #expect(await problems(child).map { $0.prefix(14) } == ["Page → Report:"])
        parent.register(Page.self) { r in Page(try r.require(Report.self)) }.inObjectScope(.child)
        #expect(await problems(child).isEmpty)
    }

    @Test("A .child service that a child has resolved is not an override")
    func copies() async {
        parent.register(Clock.self) { _ in Clock() }.inObjectScope(.child)
        parent.register(Report.self) { r in Report(try r.require(Clock.self)) }.inObjectScope(.container)
        let child = Container(parent: parent)
        #expect(child.resolve(Clock.self) != nil)
        #expect(await problems(child).isEmpty)
    }

    @Test("verify() reports onClose in a scope whose instances are not closed")
    func neverClosed() async {
        parent.register(Clock.self) { _ in Clock() }.onClose { _ in }
        #expect(
            await problems(parent) == [
                "Clock: onClose has no effect in the scope graph. Share the instance: inObjectScope(.container)"
            ])
        parent.register(Clock.self) { _ in Clock() }.onClose { _ in }.inObjectScope(.session)
        #expect(await problems(parent).isEmpty)
    }
}
