import Foundation
import TestSupport
import Testing

/// A name of Swinject, SwinjectPropertyLoader or pwdi in a line of code, and a part of what the compiler says.
struct GoneName: Sendable {
    let code: String
    let says: String

    init(_ code: String, _ says: String) {
        self.code = code
        self.says = says
    }
}

private let deprecated: [GoneName] = [
    GoneName("extension ObjectScope {}", "Declare scopes of your own as static properties of SharedScope"),
    GoneName("func f(_ x: PermanentStorage) {}", "Write SharedScope(\"name\")"),
    GoneName("func f(_ x: WeakStorage) {}", "Write SharedScope(\"name\", isWeak: true)"),
    GoneName("func f(_ x: GraphStorage) {}", "Use the scope .graph"),
    GoneName("func f(_ x: TransientStorage) {}", "Use the scope .transient"),
    GoneName("func f(_ x: ServiceEntry<Loose>) {}", "renamed to 'RegistrationEntry'"),
    GoneName("{ c.register(Loose.self) { _ in Loose() }.inObjectScope(.container) }", "inObjectScope(unchecked:)"),
    GoneName("{ c.register(Loose.self) { _ in Loose() }.inObjectScope(.mine) }", "inObjectScope(unchecked:)"),
    GoneName("{ c.register(Firm.self) { _ in Firm() }.inObjectScope(.old) }", "Declare the scope as a SharedScope"),
    GoneName("{ _ = Container { c in c.register(Loose.self) { _ in Loose() } } }", "let container = Container()"),
    GoneName("{ _ = Container { $0.register(Loose.self) { _ in Loose() } } }", "let container = Container()"),
    GoneName("{ _ = Container(parent: c) { _ in } }", "let container = Container()"),
    GoneName("{ _ = Container(defaultObjectScope: .container) }", "Set the scope of each registration"),
    GoneName("{ _ = c.synchronize() }", "use the container itself"),
    GoneName("{ let r: Resolver = c.synchronize(); _ = r }", "pass the container on"),
    GoneName("{ c.forward((any P).self, to: c.register(Firm.self) { _ in Firm() }) }", "Call implements(_:name:)"),
    GoneName("{ c.resetObjectScope(.container) }", "renamed to 'reset(_:)'"),
    GoneName("{ c.resetObjectScope(.old) }", "renamed to 'reset(_:)'"),
    GoneName("{ c.resetObjectScope(.container, serviceType: Firm.self) }", "Give the service a scope of its own"),
    GoneName("{ c.resetObjectScope(.old, serviceType: Firm.self) }", "Give the service a scope of its own"),
    GoneName("{ _ = Assembler([]) }", "replaced by 'init(assemblies:container:)'"),
    GoneName("{ _ = Assembler([], container: c) }", "replaced by 'init(assemblies:container:)'"),
    GoneName("{ _ = Assembler([], parent: nil) }", "replaced by 'init(assemblies:parentAssembler:)'"),
    GoneName("{ _ = Assembler([], parent: nil, defaultObjectScope: .graph) }", "Set the scope of each registration"),
    GoneName("{ _ = Assembler(parentAssembler: nil, defaultObjectScope: .graph) }", "Set the scope of each"),
    GoneName("{ let x: Int? = r.property(forKey: \"a\"); _ = x }", "renamed to 'property(_:)'"),
    GoneName("{ let x: Int? = c.property(forKey: PropertyKey(\"a\")); _ = x }", "renamed to 'property(_:)'"),
    GoneName("{ _ = c.propertiesDescription }", "Print each of properties.entries"),
    GoneName("{ try? r.applyPropertyLoader(Own()) }", "Call applyPropertyLoader(_:) of the container"),
    GoneName("{ _ = PropertyKey(\"a\").debugDescription }", "Print the key itself"),
    GoneName(
        "struct Old: PropertyLoader { func load() -> [String: Any] { [:] } }", "Return a PropertyLayer from load()"),
    GoneName("{ _ = try? Own().load()[\"a.b\"] as? Int }", "Apply the loader to a container"),
    GoneName("{ _ = try? Own().load().keys.contains(\"a.b\") }", "Apply the loader to a container"),
    GoneName("func f(_ x: PropertyLoaderError) {}", "renamed to 'PropertyLoadError'"),
    GoneName("{ _ = PropertyLoadError.missingResource(bundle: .main, name: \"a\") }", "Throw a PropertyLoadError(.not"),
    GoneName("{ _ = PropertyLoadError.invalidTOMLFormat(bundle: .main, name: \"a\") }", "Throw a PropertyLoadError("),
    GoneName("{ _ = globalContainer }", "renamed to 'Container.global'"),
    GoneName("{ _ = Prototype { Service { _ in Firm() } }.factories }", "A block has no public parts"),
    GoneName("{ _ = Singleton { Service { _ in Firm() } }.factories }", "A block has no public parts"),
    GoneName("{ _ = Session { Service { _ in Firm() } }.factories }", "A block has no public parts"),
]

private let unavailable: [GoneName] = [
    GoneName("struct Log: Behavior {}", "Register through a function of your own"),
    GoneName("{ _ = Container(behaviors: []) }", "Register through a function of your own"),
    GoneName("{ _ = Assembler([], parent: nil, behaviors: []) }", "Register through a function of your own"),
    GoneName("{ _ = Assembler(parentAssembler: nil, behaviors: []) }", "Register through a function of your own"),
    GoneName("{ c.addBehavior(Firm()) }", "Register through a function of your own"),
    GoneName("final class Old: InstanceStorage { var instance: Any? }", "Declare a SharedScope"),
    GoneName("final class Old: ObjectScopeProtocol {}", "Declare a SharedScope"),
    GoneName("{ c.register(Firm.self) { _ in Firm() }.inObjectScope(.multiton) }", "a dictionary of the instances"),
    GoneName("{ _ = Container.loggingFunction }", "Call onFailure(_:) of a container"),
    GoneName("{ Container.log(\"text\") }", "Call onFailure(_:) of a container"),
    GoneName("func f(_ x: GraphIdentifier) {}", "resolve from the parameter 'r'"),
    GoneName("{ c.restoreObjectGraph(1) }", "Resolve from the parameter 'r'"),
    GoneName("{ c.withObjectGraph(1) { _ in } }", "Resolve from the parameter 'r'"),
    GoneName("{ _ = SwinjectStoryboard.self }", "Resolve what a view controller needs"),
]

private let types = """
    import ContainerMigration
    import DeclarativeContainer
    import Foundation
    protocol P {}
    final class Loose { var number = 0 }
    final class Firm: P, Sendable {}
    struct Own: PropertyLoader { func load() throws -> PropertyLayer { [:] } }
    extension SharedScope { static let mine = SharedScope("mine") }
    extension ObjectScope { static let old = ObjectScope(storageFactory: PermanentStorage.init) }

    """

@Suite("Names of the predecessors that are gone")
struct GoneNameTests {
    /// Each name in a declaration of its own, in a line of its own.
    private func snippet(_ names: [GoneName]) -> String {
        types
            + names.enumerated().map { number, name in
                name.code.hasPrefix("{")
                    ? "func f\(number)(_ c: Container, _ r: Resolver) \(name.code)"
                    : "enum E\(number) { \(name.code) }"
            }.map { $0.contains("{ extension") ? String($0.drop { $0 != "{" }.dropFirst().dropLast()) : $0 }
            .joined(separator: "\n")
    }

    private func lines(_ messages: [String], of row: Int) -> [String] {
        let line = types.count { $0 == "\n" } + 2 + row
        return messages.filter { $0.contains("Snippet.swift:\(line):") }
    }

    @Test("Each deprecated name compiles with one warning, which names the replacement", arguments: [5, 6])
    func warnings(_ mode: Int) async throws {
        #expect(deprecated.count == 40)
        let outcome = try await Compiler.compile(snippet(deprecated), mode: mode)
        #expect(outcome.compiles, "\(outcome.messages)")
        let warnings = outcome.lines("warning")
        for (row, name) in deprecated.enumerated() {
            let own = lines(warnings, of: row)
            #expect(own.count == 1 && own.allSatisfy { $0.contains(name.says) }, "\(name.code): \(own)")
        }
    }

    @Test("Each name that has no replacement is an error that says what to do instead")
    func errors() async throws {
        #expect(unavailable.count == 14)
        let outcome = try await Compiler.compile(snippet(unavailable))
        #expect(!outcome.compiles)
        let errors = outcome.lines("error")
        for (row, name) in unavailable.enumerated() {
            #expect(lines(errors, of: row).contains { $0.contains(name.says) }, "\(name.code): \(outcome.messages)")
        }
    }
}
