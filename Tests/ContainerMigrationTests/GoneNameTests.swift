import Testing

/// The names that compile with a warning.
private let deprecated: [CodeLine] = [
    CodeLine("extension ObjectScope {}", "Declare scopes of your own as static properties of SharedScope"),
    CodeLine("func f(_ x: PermanentStorage) {}", "Write SharedScope(\"name\")"),
    CodeLine("func f(_ x: WeakStorage) {}", "Write SharedScope(\"name\", isWeak: true)"),
    CodeLine("func f(_ x: ServiceEntry<Store>) {}", "renamed to 'RegistrationEntry'"),
    CodeLine("{ c.register(Store.self) { _ in Store() }.inObjectScope(.container) }", "inObjectScope(unchecked:)"),
    CodeLine("{ c.register(Store.self) { _ in Store() }.inObjectScope(.mine) }", "inObjectScope(unchecked:)"),
    CodeLine("{ c.register(Firm.self) { _ in Firm() }.inObjectScope(.old) }", "Declare the scope as a SharedScope"),
    CodeLine("{ _ = Container { c in c.register(Store.self) { _ in Store() } } }", "let container = Container()"),
    CodeLine("{ _ = Container { $0.register(Store.self) { _ in Store() } } }", "let container = Container()"),
    CodeLine("{ _ = Container(parent: c) { _ in } }", "let container = Container()"),
    CodeLine("{ _ = Container(defaultObjectScope: .container) }", "'init(parent:uncheckedDefaultObjectScope:)'"),
    CodeLine("{ _ = Container(defaultObjectScope: .graph) { _ in } }", "register the services after it"),
    CodeLine("{ _ = c.synchronize() }", "use the container itself"),
    CodeLine("{ let r: Resolver = c.synchronize(); _ = r }", "pass the container on"),
    CodeLine("{ _ = c.hasAnyRegistration(of: Firm.self) }", "renamed to 'hasRegistration(of:name:)'"),
    CodeLine("{ c.autoregister(Firm.self, initializer: Firm.init) }", "renamed to 'register(using:as:name:)'"),
    CodeLine("{ c.forward((any P).self, to: c.register(Firm.self) { _ in Firm() }) }", "Call implements(_:name:)"),
    CodeLine("{ c.resetObjectScope(.container) }", "renamed to 'reset(_:)'"),
    CodeLine("{ c.resetObjectScope(.old) }", "renamed to 'reset(_:)'"),
    CodeLine("{ c.resetObjectScope(.container, serviceType: Firm.self) }", "Give the service a scope of its own"),
    CodeLine("{ c.resetObjectScope(.old, serviceType: Firm.self) }", "Give the service a scope of its own"),
    CodeLine("{ c.register(Int.self) { (_, a: Int, b: Int, c: Int, d: Int) in a } }", "Let the factory take a struct"),
    CodeLine("{ _ = c.resolve(Int.self, argument: 1) }", "Write arguments:"),
    CodeLine("{ _ = r.resolve(Int.self, name: \"n\", argument: 1) }", "Write arguments:"),
    CodeLine("{ c._register(Firm.self, factory: { (_: Resolver) in Firm() }) }", "Call register(_:name:factory:)"),
    CodeLine("{ let x: Firm? = c._resolve(name: nil) { (f: (Resolver) -> Any) in f(r) }; _ = x }", "Call resolve(_:n"),
    CodeLine("{ let x: Firm? = r._resolve(name: nil) { (f: (Resolver) -> Any) in f(r) }; _ = x }", "Call resolve(_:n"),
    CodeLine("{ _ = Assembler([]) }", "replaced by 'init(assemblies:container:)'"),
    CodeLine("{ _ = Assembler([], container: c) }", "replaced by 'init(assemblies:container:)'"),
    CodeLine("{ _ = Assembler([], parent: nil) }", "replaced by 'init(assemblies:parentAssembler:)'"),
    CodeLine("{ _ = Assembler([], parent: nil, defaultObjectScope: .graph) }", "Set the scope of each registration"),
    CodeLine("{ _ = Assembler(parentAssembler: nil, defaultObjectScope: .graph) }", "Set the scope of each"),
    CodeLine("{ let x: Int? = r.property(forKey: \"a\"); _ = x }", "renamed to 'property(_:)'"),
    CodeLine("{ let x: Int? = c.property(forKey: PropertyKey(\"a\")); _ = x }", "renamed to 'property(_:)'"),
    CodeLine("{ _ = c.propertiesDescription }", "Print each of properties.entries"),
    CodeLine("{ try? r.applyPropertyLoader(Own()) }", "Call applyPropertyLoader(_:) of the container"),
    CodeLine("{ _ = PropertyKey(\"a\").debugDescription }", "Print the key itself"),
    CodeLine(
        "struct Old: PropertyLoader { func load() -> [String: Any] { [:] } }", "Return a PropertyLayer from load()"),
    CodeLine("{ _ = try? Own().load()[\"a.b\"] as? Int }", "Apply the loader to a container"),
    CodeLine("{ _ = try? Own().load().keys.contains(\"a.b\") }", "Apply the loader to a container"),
    CodeLine("func f(_ x: PropertyLoaderError) {}", "load() throws a PropertyLoadError, and applyPropertyLoader"),
    CodeLine("{ _ = globalContainer }", "renamed to 'Container.global'"),
    CodeLine("{ _ = Prototype { Service { _ in Firm() } }.factories }", "A block has no public parts"),
    CodeLine("{ _ = Singleton { Service { _ in Firm() } }.factories }", "A block has no public parts"),
    CodeLine("{ _ = Session { Service { _ in Firm() } }.factories }", "A block has no public parts"),
]

/// The names that do not compile.
private let unavailable: [CodeLine] = [
    CodeLine("{ _ = Container(behaviors: []) }", "Register through a function of your own"),
    CodeLine("{ c.addBehavior(Firm()) }", "Register through a function of your own"),
    CodeLine("{ c.register(Firm.self) { _ in Firm() }.inObjectScope(.multiton) }", "a dictionary of the instances"),
    CodeLine("{ _ = c.register(Firm.self) { _ in Firm() }.objectScope }", "Keep the scope beside the registration"),
    CodeLine("{ _ = Container.loggingFunction }", "Call onFailure(_:) of a container"),
    CodeLine("{ Container.loggingFunction = nil }", "Call onFailure(_:) of a container"),
    CodeLine("{ Container.log(\"text\") }", "Call onFailure(_:) of a container"),
]

@Suite("Names of the predecessors that are gone")
struct GoneNameTests {
    @Test("Each deprecated name compiles with one deprecation warning, which names the replacement", arguments: [5, 6])
    func warnings(_ mode: Int) async throws {
        #expect(deprecated.count == 45)
        let (compiles, warnings) = try await CodeLine.compile(deprecated, mode: mode)
        #expect(compiles)
        for (line, all) in zip(deprecated, warnings) {
            let own = all.filter { $0.contains("is deprecated") }
            #expect(own.count == 1 && own.allSatisfy { $0.contains(line.says) }, "\(line.code): \(own)")
        }
    }

    @Test("The compiler offers a fix for names that an app uses many times")
    func fixes() async throws {
        let lines = [
            CodeLine("{ c.register(Store.self) { _ in Store() }.inObjectScope(.weak) }", "inObjectScope(unchecked:)"),
            CodeLine("{ _ = Container(defaultObjectScope: .weak) }", "init(parent:uncheckedDefaultObjectScope:)"),
            CodeLine("{ _ = c.hasAnyRegistration(of: Firm.self) }", "hasRegistration(of:name:)"),
            CodeLine("{ c.resetObjectScope(.container) }", "reset(_:)"),
            CodeLine("func f(_ x: ServiceEntry<Store>) {}", "RegistrationEntry"),
            CodeLine("{ let x: Int? = r.property(forKey: \"a\"); _ = x }", "property(_:)"),
        ]
        let (_, messages) = try await CodeLine.compile(lines, mode: 5)
        for (line, own) in zip(lines, messages) {
            #expect(own.contains { $0.contains("note: use '\(line.says)' instead") }, "\(line.code): \(own)")
        }
    }

    @Test("Each name that has no replacement is an error that says what to do instead")
    func errors() async throws {
        #expect(unavailable.count == 7)
        let (compiles, errors) = try await CodeLine.compile(unavailable, mode: 6)
        #expect(!compiles)
        for (line, own) in zip(unavailable, errors) {
            #expect(own.contains { $0.contains(line.says) }, "\(line.code): \(own)")
        }
    }
}
