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
