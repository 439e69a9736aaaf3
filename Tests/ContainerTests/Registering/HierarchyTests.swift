import Container
import Testing

@Suite("Parents and assemblies")
struct HierarchyTests {
    let parent = Container()

    @Test("A lookup searches all ancestors, and their factories resolve from the container that the caller used")
    func generations() {
        let child = Container(parent: parent)
        let grandchild = Container(parent: child)
        parent.register(String.self) { r in "\(try r.require(Int.self)) \(try r.require(Bool.self))" }
        child.register(Int.self) { _ in 1 }
        grandchild.register(Bool.self) { _ in true }
        #expect(grandchild.resolve(String.self) == "1 true")
        child.onFailure { _ in }
        #expect(child.resolve(String.self) == nil)
    }

    struct Settings: PropertyLoader {
        let values: [String: PropertyValue]
        func load() throws -> PropertyLayer { PropertyLayer(PropertyTable(values.map { ($0.key, $0.value) })) }
    }

    @Test("Properties of a child override those of its parent, but the parent's shared factories read the parent's")
    func properties() throws {
        let child = Container(parent: parent)
        try parent.applyPropertyLoader(Settings(values: ["host": "parent", "port": 80]))
        try child.applyPropertyLoader(Settings(values: ["host": "child"]))
        parent.register(String.self) { r in try r.require("host") }
        parent.register(String.self, name: "shared") { r in r.property("host") ?? "none" }.inObjectScope(.container)
        #expect(parent.property("host") == "parent")
        #expect(child.property("host") == "child")
        let port: Int? = child.property("port")
        #expect(port == 80)
        #expect(child.resolve(String.self) == "child")
        #expect(parent.resolve(String.self) == "parent")
        #expect(child.resolve(String.self, name: "shared") == "parent")
        parent.register(Int.self) { r in try r.require("nowhere") }
        #expect(failure { _ = try child.require(Int.self) }?.cause is PropertyError)
    }

    struct Reader: Assembly {
        func assemble(container: Container) {
            let port: Int? = container.property("port")
            container.register(Int.self) { _ in port ?? 0 }
        }
    }

    @Test("An assembler loads properties before its assemblies run, and reports the error of a loader")
    func propertiesFirst() throws {
        let assembler = try Assembler(
            assemblies: [Reader()], propertyLoaders: [Settings(values: ["port": 1]), Settings(values: ["port": 2])])
        #expect(assembler.resolver.resolve(Int.self) == 2)
        struct Broken: PropertyLoader { func load() throws -> PropertyLayer { throw Failure("no file") } }
        let new = #expect(throws: ConfigurationErrors.self) {
            try Assembler(assemblies: [], parentAssembler: assembler, propertyLoaders: [Broken()])
        }
        let same = #expect(throws: ConfigurationErrors.self) { try assembler.applyPropertyLoader(Broken()) }
        #expect([new, same].allSatisfy { $0?.problems.first?.error as? Failure == Failure("no file") })
    }

    struct Numbers: Assembly {
        func assemble(container: Container) { container.register(Int.self) { _ in 5 } }
    }

    struct Words: Assembly {
        let counter: Counter
        func assemble(container: Container) {
            container.register(String.self) { r in "\(try r.require(Int.self))" }
        }
        func loaded(resolver: Resolver) {
            if resolver.resolve(String.self) == "5" { counter.increment() }
        }
    }

    @Test("An assembler registers all assemblies before it calls the first loaded(resolver:)")
    func assembles() throws {
        let counter = Counter()
        let assembler = Assembler(assemblies: [Words(counter: counter), Numbers()])
        #expect(counter.count == 1)
        #expect(assembler.resolver.resolve(String.self) == "5")
        let child = Assembler(assemblies: [], parentAssembler: assembler)
        #expect(child.resolver.resolve(String.self) == "5")
        let late = Assembler()
        late.apply(assembly: Numbers())
        #expect(late.resolver.resolve(Int.self) == 5)
        #expect(Assembler(parentAssembler: late).resolver.resolve(Int.self) == 5)
        let own = Container()
        _ = Assembler(assemblies: [Numbers()], container: own)
        #expect(own.resolve(Int.self) == 5)
    }
}
