import Foundation
import TestSupport
import Testing

/// A guide, and for each row of its table "What the compiler says" a line of code that causes the message.
struct Guide: Sendable, CustomTestStringConvertible {
    let name: String
    let lines: [Int: [CodeLine]]
    /// Lines that are compiled without the module ContainerMigration, and the language mode for them.
    var withoutMigration: [CodeLine] = []
    var modeWithoutMigration = 5

    var testDescription: String { name }

    /// The messages of the table, in order.
    var messages: [String] {
        get throws {
            let file = Repository.root.appending(path: "Sources/\(name).md")
            let text = try String(contentsOf: file, encoding: .utf8)
            guard let table = text.components(separatedBy: "### What the compiler says").last else { return [] }
            return table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
                .map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
        }
    }
}

private let guides = [
    Guide(
        name: "ServiceHost/ServiceHost.docc/ComingFromSwinject",
        lines: [
            5: [
                CodeLine("func f(_ r: any Resolver) {}", "'any' has no effect on concrete type 'Resolver'"),
                CodeLine(
                    "{ take(c) }", "cannot convert value of type 'Container' to expected argument type 'Resolver'"),
                CodeLine("{ _ = c.makeStore() }", "value of type 'Container' has no member 'makeStore'"),
                CodeLine("class Fake: Resolver {}", "inheritance from non-protocol, non-class type 'Resolver'"),
                CodeLine("struct Locked: Resolver {}", "inheritance from non-protocol type 'Resolver'"),
                CodeLine("{ _ = r as! Container }", "cast from 'Resolver' to unrelated type 'Container' always fails"),
                CodeLine(
                    "{ c.register(Firm.self) { _ in Firm() }.inObjectScope(.visit) }",
                    "reference to member 'visit' cannot be resolved without a contextual type"),
                CodeLine(
                    "class Shop { init(_ r: Resolver) {} }; "
                        + "static func f(_ c: Container) { c.register(Shop.self, factory: Shop.init) }",
                    "converting non-Sendable function value to '@Sendable (Resolver) throws -> Shop' "
                        + "may introduce data races"),
                CodeLine(
                    "{ c.register(Screen.self) { _ in Screen() } }",
                    "call to main actor-isolated initializer 'init()' in a synchronous nonisolated context"),
            ],
            6: [
                CodeLine(
                    "{ _ = c.resolve(Firm.self, argument: Store()) }",
                    "type 'Store' does not conform to the 'Sendable' protocol"),
                CodeLine(
                    "{ let store = Store(); c.register(Store.self) { _ in store } }",
                    "capture of 'store' with non-Sendable type 'Store' in a '@Sendable' closure"),
                CodeLine(
                    "class StoreAssembly { var name = \"a\"; "
                        + "func assemble(_ c: Container) { c.register(String.self) { _ in self.name } } }",
                    "capture of 'self' with non-Sendable type 'StoreAssembly' in a '@Sendable' closure"),
                CodeLine(
                    "static func f<Service>(_ c: Container, _ make: @escaping (Resolver) -> Service) "
                        + "{ c.register(Service.self, factory: make) }",
                    "passing non-Sendable parameter 'make' to function expecting a '@Sendable' closure"),
                CodeLine(
                    "{ var count = 0; c.register(Int.self) { _ in count += 1; return count } }",
                    "mutation of captured var 'count' in concurrently-executing code"),
                CodeLine(
                    "{ c.register((@Sendable () -> Int?).self) { r in { @Sendable in r.resolve(Int.self) } } }",
                    "capture of 'r' with non-Sendable type 'Resolver' in a '@Sendable' closure"),
                CodeLine(
                    "{ c.register(Screen.self) { @MainActor _ in Screen() } }",
                    "converting function value of type '@MainActor @Sendable (Resolver) -> Screen' to "
                        + "'@Sendable (Resolver) throws -> Screen' loses global actor 'MainActor'"),
            ],
        ],
        withoutMigration: [
            CodeLine(
                "{ c.register(Store.self) { r, a, b, x, y in Store() } }",
                "contextual closure type '@Sendable (Resolver, A, B, C) throws -> Store' expects 4 arguments, "
                    + "but 5 were used in closure body")
        ]),
    Guide(
        name: "ServiceHost/ServiceHost.docc/ComingFromSwinjectPropertyLoader",
        lines: [
            5: [
                CodeLine(
                    "struct OwnLoader: PropertyLoader { func load() -> [String: Int] { [:] } }",
                    "type 'OwnLoader' does not conform to protocol 'AsyncPropertyLoader'"),
                CodeLine(
                    "class OwnLoader: PropertyLoader { func load() -> PropertyLayer { [:] } }",
                    "non-final class 'OwnLoader' cannot conform to the 'Sendable' protocol"),
                CodeLine(
                    "final class OwnLoader: PropertyLoader { var count = 0; func load() -> PropertyLayer { [:] } }",
                    "stored property 'count' of 'Sendable'-conforming class 'OwnLoader' is mutable"),
                CodeLine(
                    "{ if case PropertyLoaderError.missingResource(let bundle, let name) = Failure() {} }",
                    "type 'any PropertyLoaderError' has no member 'missingResource'"),
                CodeLine(
                    "static func f(_ url: URL) throws { throw PropertyLoaderError.missingResourceURL(url: url) }",
                    "type 'any PropertyLoaderError' has no member 'missingResourceURL'"),
                CodeLine(
                    "{ let x: [String: Any] = try! Own().load(); _ = x }",
                    "cannot convert value of type 'PropertyLayer' to specified type '[String : Any]'"),
            ]
        ]),
    Guide(
        name: "ServiceHost/ServiceHost.docc/ComingFromPwdi",
        lines: [
            6: [
                CodeLine(
                    "{ GlobalContainer { Singleton { Service { _ in Store() } } } }",
                    "type 'Store' does not conform to the 'Sendable' protocol")
            ],
            5: [
                CodeLine("final class Own: Container {}", "inheritance from a final class 'Container'"),
                CodeLine(
                    "{ _ = Service { c in DispatchQueue.main.async { _ = try? c.make(Int.self) } } }",
                    "capture of 'c' with non-Sendable type 'Resolver' in a '@Sendable' closure"),
            ],
        ]),
    Guide(
        name: "ServiceHost/ServiceHost.docc/ComingFromFactory",
        lines: [
            6: [
                CodeLine(
                    "extension Container { var firm: Factory<Firm> { self { Firm() } } }",
                    "cannot find type 'Factory' in scope"),
                CodeLine("{ _ = Container.shared }", "type 'Container' has no member 'shared'"),
                CodeLine("final class Page { @Injected(\\.firm) var firm: Firm }", "unknown attribute 'Injected'"),
                CodeLine("final class Page { @Inject var firm }", "generic parameter 'Value' could not be inferred"),
                CodeLine(
                    "{ c.register(Firm.self) { Firm() } }",
                    "contextual type for closure argument list expects 1 argument, which cannot be implicitly ignored"),
                CodeLine(
                    "{ c.register(Firm.self) { _ in Firm() }.singleton }",
                    "value of type 'RegistrationEntry<Firm>' has no member 'singleton'"),
                CodeLine(
                    "{ c.register(Firm.self) { _ in Firm() }.inObjectScope(.cached) }",
                    "reference to member 'cached' cannot be resolved without a contextual type"),
                CodeLine(
                    "final class Page: Sendable { @Inject var firm: Firm }",
                    "stored property '_firm' of 'Sendable'-conforming class 'Page' is mutable"),
                CodeLine(
                    "{ c.register(Screen.self) { _ in Screen() } }",
                    "call to main actor-isolated initializer 'init()' in a synchronous nonisolated context"),
            ]
        ],
        withoutMigration: [
            CodeLine(
                "{ c.register(Store.self) { _ in Store() }.inObjectScope(.container) }",
                "type 'Store' does not conform to the 'Sendable' protocol")
        ],
        modeWithoutMigration: 6),
]

@Suite("What the compiler says, in the guides")
struct GuideMessageTests {
    @Test("The compiler gives each message of a guide, and the guide has each message", arguments: guides)
    func messages(_ guide: Guide) async throws {
        let all = guide.lines.values.joined().map(\.says)
        let others = guide.withoutMigration.map(\.says)
        #expect(try Set(guide.messages) == Set(all + others) && guide.messages.count == all.count + others.count)
        for line in guide.withoutMigration {
            let outcome = try await Compiler.compile(
                "class Store {}; func f(_ c: Container) \(line.code)", mode: guide.modeWithoutMigration)
            #expect(outcome.messages.contains(line.says), "\(outcome.messages)")
        }
        for (mode, lines) in guide.lines {
            let (_, messages) = try await CodeLine.compile(lines, mode: mode)
            for (line, own) in zip(lines, messages) {
                #expect(own.contains { $0.contains(line.says) }, "\(line.code): \(own)")
            }
        }
    }
}
