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
        // Twice, because the first resolve of one container must not change the result of another container.
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
        // The shared service does not see what the child registers.
        parent.onFailure { #expect($0.reason == .unseenOverride) }
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
