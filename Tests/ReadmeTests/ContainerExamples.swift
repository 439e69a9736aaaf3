import DeclarativeContainer
import Synchronization
import Testing

// The Swift blocks about the container in the README and the articles, copied verbatim.

extension SharedScope {
    static let tenant = SharedScope("tenant")
}

extension Qualifier {
    static let replica = Qualifier(name: "replica")
}

@Suite("The examples on the container")
struct ContainerExamples {
    protocol TimeSource: Sendable {}
    struct SystemTime: TimeSource {}
    struct FixedTime: TimeSource {}
    protocol Reading: Sendable {}
    protocol Writing: Sendable {}
    final class MemoryStore: Reading, Writing {}
    final class TenantSettings: Sendable {}
    struct Report { let clock: any TimeSource }
    final class Parent {
        let child: Child
        init(child: Child) { self.child = child }
    }
    final class Child { weak var parent: Parent? }
    struct NoRoute: Error, CustomStringConvertible { let description = "no route to host" }
    final class Database: Sendable { init() throws { throw NoRoute() } }
    final class Job {
        let number: Int
        init(_ number: Int) { self.number = number }
        func run() {}
    }
    @MainActor final class Screen {
        private(set) var drawn = 0
        func draw() { drawn += 1 }
    }

    final class Document: Sendable {}
    final class Printer {
        private(set) var printed: [Document] = []
        func print(_ document: Document) { printed.append(document) }
    }

    final class Editor {
        private let document: Document
        private let printer: Lazy<Printer>

        init(document: Document, printer: Lazy<Printer>) {
            self.document = document
            self.printer = printer
        }

        func printDocument() { printer.instance.print(document) }
    }

    final class Page {
        @Inject var clock: any TimeSource
        @Inject(.replica) var store: MemoryStore
        @SafeInject var settings: TenantSettings?
    }

    final class Scheduler: Sendable {
        private let container: Container
        init(_ container: Container) { self.container = container }

        func run() async {
            guard let job = container.resolve(Job.self, arguments: 7) else { return }
            await Task.detached { job.run() }.value
        }
    }

    let container = Container()

    @Test("Scopes")
    func scopes() throws {
        container.register((any TimeSource).self) { _ in SystemTime() }.inObjectScope(.container)
        container.register(TenantSettings.self) { _ in TenantSettings() }.inObjectScope(.tenant)
        container.register(Report.self) { r in Report(clock: try r.require((any TimeSource).self)) }

        let before = container.resolve(TenantSettings.self)
        container.reset(.tenant)
        #expect(before != nil && before !== container.resolve(TenantSettings.self))
        #expect(try container.require(Report.self).clock is SystemTime)

        container.register(MemoryStore.self) { _ in MemoryStore() }
            .inObjectScope(.container)
            .implements((any Reading).self, (any Writing).self)
        #expect(container.resolve((any Reading).self) as? MemoryStore === container.resolve(MemoryStore.self))
    }

    @Test("Scopes: an initializer")
    func initializer() throws {
        let printers = Mutex(0)
        container.register(Document.self) { _ in Document() }
        container.register(Printer.self) { _ in
            printers.withLock { $0 += 1 }
            return Printer()
        }
        container.register(using: Editor.init)
        let editor = try container.require(Editor.self)
        #expect(printers.withLock { $0 } == 0)
        editor.printDocument()
        editor.printDocument()
        #expect(printers.withLock { $0 } == 1)
    }

    @Test("Scopes: a circle")
    func circle() throws {
        container.register(Parent.self) { r in Parent(child: try r.require(Child.self)) }
        container.register(Child.self) { _ in Child() }
            .initCompleted { r, child in child.parent = try r.require(Parent.self) }
        let parent = try container.require(Parent.self)
        #expect(parent.child.parent === parent)
    }

    @Test("The overview")
    func overview() throws {
        let container = Container()
        container.register((any TimeSource).self) { _ in SystemTime() }.inObjectScope(.container)
        container.register(Report.self) { r in Report(clock: try r.require((any TimeSource).self)) }
        let report = try container.require(Report.self)
        #expect(report.clock is SystemTime)
    }

    @Test("Tests with overrides: properties")
    func propertyOverrides() throws {
        struct Fixture: PropertyLoader {
            func load() throws -> PropertyLayer { ["api.timeout": 1] }
        }

        let test = Container(parent: container)
        try test.applyPropertyLoader(Fixture())
        #expect(test.property("api.timeout") == 1)
        #expect(container.properties.entries.isEmpty)
    }

    @Test("Errors")
    func errors() async throws {
        let heard = Mutex<[String]>([])
        @Sendable func log(_ text: String) { heard.withLock { $0.append(text) } }

        container.onFailure { error in log(error.description) }

        container.register(Database.self) { _ in try Database() }
            .inObjectScope(.container)
            .onDemand()

        try await container.verify()
        #expect(container.resolve(Database.self) == nil)
        #expect(heard.withLock { $0 } == ["Database: the factory of Database threw: no route to host"])
    }

    @Test("Tests with overrides")
    func overrides() throws {
        container.register((any TimeSource).self) { _ in SystemTime() }
        container.register(Report.self) { r in Report(clock: try r.require((any TimeSource).self)) }

        let test = Container(parent: container)
        test.register((any TimeSource).self) { _ in FixedTime() }
        let report = try test.require(Report.self)
        #expect(report.clock is FixedTime)

        Container.withGlobal(Container()) {
            GlobalContainer {
                Singleton { Service(type: (any TimeSource).self) { _ in FixedTime() } }
            }
            let page = Page()
            #expect(page.clock is FixedTime)
        }
    }

    @MainActor
    func show(_ container: Container) {
        container.resolve(Screen.self)?.draw()
    }

    @Test("Main-actor services")
    @MainActor
    func mainActor() async {
        container.register(Screen.self) { _ in MainActor.assumeIsolated { Screen() } }
            .inObjectScope(.container)
        show(container)
        show(container)
        let container = container
        let elsewhere = await Task.detached { container.resolve(Screen.self) }.value
        #expect(elsewhere?.drawn == 2)
    }

    @Test("Resolving later")
    func later() async throws {
        container.register(Job.self) { (_, number: Int) in Job(number) }
        container.register(Scheduler.self) { r in Scheduler(try r.require(Container.self)) }
        try await container.require(Scheduler.self).run()
        #expect(container.resolve(Job.self, arguments: 7)?.number == 7)
    }

    @Test("Coming from pwdi")
    func pwdi() {
        Container.withGlobal(Container()) {
            GlobalContainer {
                Prototype { Service { _ in Report(clock: SystemTime()) } }
                Singleton {
                    Service(type: (any TimeSource).self) { _ in SystemTime() }
                    Service { _ in MemoryStore() }.qualifier(.replica)
                }
                Session { Service { _ in TenantSettings() } }
            }
            let page = Page()
            #expect(page.clock is SystemTime)
            #expect(page.store === Page().store)
            #expect(page.settings === Page().settings)
        }
    }
}
