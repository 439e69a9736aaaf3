import TestSupport

/// A line of code, and a part of what the compiler says about it.
struct CodeLine: Sendable {
    let code: String
    let says: String

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - code: a declaration, or the body of a function in braces, with a container `c` and a resolver `r`.
    ///   - says: a part of the message.
    init(_ code: String, _ says: String) {
        self.code = code
        self.says = says
    }

    private static let head = """
        import ContainerMigration
        import DeclarativeContainer
        import Foundation
        protocol P {}
        class Store { var number = 0 }
        final class Firm: P, Sendable {}
        @MainActor final class Screen { init() {} }
        struct Own: PropertyLoader { func load() throws -> PropertyLayer { [:] } }
        extension SharedScope { static let mine = SharedScope("mine") }
        extension ObjectScope { static let old = ObjectScope(storageFactory: PermanentStorage.init) }
        struct Failure: Error {}
        func take(_ r: Resolver) {}
        extension Resolver { func makeStore() -> Store? { resolve(Store.self) } }

        """

    /// Compiles each line in a declaration of its own, all in one file.
    ///
    /// - Returns: whether they compile, and the warnings, errors and notes about each line.
    static func compile(_ lines: [CodeLine], mode: Int) async throws -> (Bool, [[String]]) {
        let declarations = lines.enumerated().map { number, line in
            if line.code.hasPrefix("extension") { return line.code }
            return line.code.hasPrefix("{")
                ? "func f\(number)(_ c: Container, _ r: Resolver) \(line.code)" : "enum E\(number) { \(line.code) }"
        }
        let outcome = try await Compiler.compile(head + declarations.joined(separator: "\n"), mode: mode)
        // The compiler puts an import before the head, and counts from 1.
        let first = head.count { $0 == "\n" } + 2
        let messages = lines.indices.map { row in
            ["warning", "error", "note"].flatMap(outcome.lines)
                .filter { $0.contains("Snippet.swift:\(first + row):") }
                .map { $0.replacing("E\(row).", with: "") }
        }
        return (outcome.compiles, messages)
    }
}
