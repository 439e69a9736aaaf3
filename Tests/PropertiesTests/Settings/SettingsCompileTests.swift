import TestSupport
import Testing

/// A property of a settings type that must not compile, and what the first error says. All errors point at its line.
private struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let property: String
    let says: String
}

private let wrong = [
    Wrong(
        testDescription: "A default of another type", property: "@Setting(\"Port\") var port: Int = \"8080\"",
        says: "cannot convert value of type 'String' to expected argument type 'Int'"),
    Wrong(
        testDescription: "A default of another type than the limits",
        property: "@Setting(\"Port\", in: 1...65535) var port = \"8080\"",
        says: "Int"),
    Wrong(
        testDescription: "Limits of a type that has no order", property: "@Setting(in: 1...2) var flag: Bool",
        says: "Bool"),
    Wrong(
        testDescription: "A value that is not Sendable", property: "@Setting var loose: Loose?",
        says: "does not conform to the 'Sendable' protocol"),
    Wrong(
        testDescription: "A value that cannot be read", property: "@Setting var closed: Closed?", says: "Decodable"),
    Wrong(
        testDescription: "A property without a default that is not a setting", property: "var port: Int",
        says: "does not conform to protocol 'Settings'"),
]

@Suite("Settings types that must not compile")
struct SettingsCompileTests {
    private static func code(_ property: String) -> String {
        """
        final class Loose: Decodable { var number = 0 }
        struct Closed: Sendable {}
        struct Sample: Settings {
        \(property)
        }
        """
    }

    @Test("There are 6 of them")
    func count() { #expect(wrong.count == 6) }

    @Test("The compiler rejects them, at their line", arguments: wrong)
    private func rejects(_ wrong: Wrong) async throws {
        let outcome = try await Compiler.compile(Self.code(wrong.property))
        let errors = outcome.lines("error")
        #expect(!outcome.compiles && outcome.messages.contains(wrong.says), "\(outcome.messages)")
        #expect(errors.contains { $0.contains("Snippet.swift:5:") || $0.contains("Snippet.swift:4:") }, "\(errors)")
    }

    @Test(
        "A common mistake gets help from the compiler",
        arguments: [
            (
                "func f(_ r: Resolver) throws { let w = try r.require(\"api.timeout\"); print(w) }",
                "Say the type of the value"
            ),
            (
                "extension PropertyKey { static let t = PropertyKey(\"t\") }\nfunc f(_ r: Resolver) throws { _ = try r.require(.t) }",
                "Say the type of the value"
            ),
            (
                """
                struct Pool: Settings {
                    @Setting var min = 1
                    @Setting var max = 2
                    static let rules: [SettingsRule<Self>] = [SettingsRule(\\.min, \\.max, expected: "x") { $0 <= $1 }]
                }
                """, "Write a $ before the name of each setting"
            ),
            ("func f(_ c: Container) throws { let a: Int = try c.require(); print(a) }", "Say the type of the service"),
            (
                "struct S: Settings { @Setting var n = 1 }\nfunc f(_ c: Container) { c.declare(S(), at: \"s\") }",
                "Write the type: declare("
            ),
            (
                """
                final class A: Sendable {}
                func f(_ c: Container) { c.register(A.self, scope: .container) { _ in A() } }
                """, "Write the scope behind the closure"
            ),
            (
                """
                final class A: Sendable { init(b: B) async throws {} }
                final class B: Sendable {}
                func f(_ c: Container) { c.register(using: A.init).inObjectScope(.container) }
                """, "Write a factory"
            ),
            (
                """
                final class A: Sendable {}
                func f(_ c: Container) { c.register(A.self) { _ in A() }.inObjectScope(.singleton) }
                """, "'singleton' has been renamed to 'container'"
            ),
            (
                """
                final class A: Sendable {}
                func f(_ c: Container) { c.register(A.self) { _ in A() }.inObjectScope(.request) }
                """, "'request' has been renamed to 'child'"
            ),
            (
                """
                final class A: Sendable {}
                func f(_ c: Container) { c.register(A.self) { _ in A() }.inObjectScope(.prototype) }
                """, "'prototype' has been renamed to 'transient'"
            ),
            ("struct S: Settings { @Setting(unit: .seconds) var count = 1 }", "DurationValue"),
        ])
    func helps(code: String, says: String) async throws {
        let outcome = try await Compiler.compile(code)
        #expect(!outcome.compiles && outcome.messages.contains(says), "\(outcome.messages)")
        #expect(!outcome.messages.contains("bug"), "\(outcome.messages)")
    }

    @Test("What is right beside a common mistake compiles")
    func rightBesideMistakes() async throws {
        let outcome = try await Compiler.compile(
            """
            final class Firm: Sendable {}
            extension PropertyKey { static let time = PropertyKey("t") }
            extension TypedKey<Int> { static let limit = TypedKey("limit", default: 1) }
            struct Pool: Settings {
                @Setting var min = 1
                @Setting var max = 2
                @Setting(unit: .seconds) var pause: Duration?
                @Setting(in: .zero..., unit: .seconds) var idle: Duration?
                @Setting(in: .zero..., unit: .hours) var keep = Duration.seconds(1)
                @Setting(unit: .milliseconds) var timeout: Duration
                static let rules: [SettingsRule<Self>] = [
                    SettingsRule(\\.$min, \\.$max, expected: "x") { $0 <= $1 },
                    SettingsRule(\\.$min, expected: "x") { $0 > 1 },
                ]
            }
            extension SharedScope { static let scoped = SharedScope("mine") }
            final class Branch: Sendable { init(_ leaf: Firm) throws {} }
            func g(_ c: Container) {
                c.declare(Pool.self, at: "pool")
                c.register(Firm.self) { _ in Firm() }.inObjectScope(.scoped)
                c.register(using: Branch.init).inObjectScope(.child)
                c.register(Firm.self, name: "n") { _ in Firm() }.inObjectScope(.transient)
            }
            func f(_ r: Resolver, _ c: Container, name: String, key: PropertyKey) throws {
                let a: Int = try r.require("a")
                let b = try r.require("b", as: String.self)
                let d: Duration = try r.require(.time)
                let e = try r.require(.limit), g = try r.require(Firm.self)
                let h: [String: Any] = try c.require(name)
                let i: Int? = try? c.require(key)
                let j: Any = try c.properties.require(name)
                print(a, b, d, e, g, h, i ?? 0, j, try Pool { $0.min = try r.require("x") })
            }
            """)
        #expect(outcome.compiles, "\(outcome.messages)")
    }

    @Test("Similar properties compile")
    func accepts() async throws {
        let outcome = try await Compiler.compile(
            Self.code(
                """
                @Setting("Port", in: 1...65535) var port: UInt16 = 8080
                @Setting var flag: Bool
                @Setting("Any number", in: 0.5...) var number = 1
                @Setting("Duration", in: .seconds(1)..<(.seconds(5))) var pause = Duration.seconds(2)
                @Setting(isSecret: true) var words: [String: [Int]] = [:]
                @Setting(in: ...10) var limit: Int?
                @Setting var mode: String? = nil
                """))
        #expect(outcome.compiles, "\(outcome.messages)")
    }
}
