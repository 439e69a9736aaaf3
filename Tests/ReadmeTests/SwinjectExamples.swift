import Container
import Testing

// The Swift blocks of the article on Swinject, copied verbatim.

@Suite("The examples on Swinject")
struct SwinjectExamples {
    final class Parent {
        let child: Child
        init(child: Child) { self.child = child }
    }
    final class Child { weak var parent: Parent? }
    final class Window {
        let toolbar: Toolbar
        init(toolbar: Toolbar) { self.toolbar = toolbar }
    }
    final class Toolbar: @unchecked Sendable {
        // @unchecked: only the test uses it.
        var window: Window?
    }
    final class Config {
        private(set) var host = ""
        func load() { host = "example.com" }
    }
    final class Client {
        let host: String
        init(host: String) { self.host = host }
    }

    let container = Container()

    @Test("A completion that resolves from a captured container gets another graph")
    func captured() throws {
        container.register(Parent.self) { r in Parent(child: try r.require(Child.self)) }
        container.register(Child.self) { _ in Child() }
            .initCompleted { [container] _, child in child.parent = try container.require(Parent.self) }
        let error = #expect(throws: ResolutionError.self) { try container.require(Child.self) }
        let text = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/ComingFromSwinject.md")
        #expect(text.contains("\n\(error?.description ?? "?")\n"))

        container.register(Child.self) { _ in Child() }
            .initCompleted { r, child in child.parent = try r.require(Parent.self) }
        let parent = try container.require(Parent.self)
        #expect(parent.child.parent === parent)
    }

    @Test("A shared service has instances of its own of the services in its graph")
    func sharedGraph() throws {
        container.register(Window.self) { r in Window(toolbar: try r.require(Toolbar.self)) }
        container.register(Toolbar.self) { _ in Toolbar() }
            .inObjectScope(.container)
            .initCompleted { r, toolbar in toolbar.window = try r.require(Window.self) }
        let window = try container.require(Window.self)
        #expect(window.toolbar.window !== window)
        #expect(window.toolbar.window?.toolbar === window.toolbar)
    }

    @Test("A completion runs after the factories that take its instance")
    func completion() throws {
        container.register(Config.self) { _ in Config() }
            .initCompleted { _, config in config.load() }
        container.register(Client.self) { r in Client(host: try r.require(Config.self).host) }
        #expect(try container.require(Client.self).host == "")

        container.register(Config.self) { _ in
            let config = Config()
            config.load()
            return config
        }
        #expect(try container.require(Client.self).host == "example.com")
    }
}
