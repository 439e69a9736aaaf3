import Foundation
import TestSupport
import Testing

/// A row of the guide on compile errors: what the compiler says, a line that causes it, and the line to write instead.
private struct CompileError: CustomStringConvertible {
    let message: String
    let wrong: String
    let right: String

    var description: String { wrong }

    /// Returns the rows of all tables of the guide.
    static func all() throws -> [Self] {
        try ReadmeBlocks.guide("CompileErrors").split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap {
            line in
            let cells = line.dropFirst(2).components(separatedBy: " | ")
            guard cells.count == 3, let wrong = code(in: cells[1]), let right = code(in: cells[2]) else { return nil }
            return CompileError(message: cells[0].replacing("… ", with: ""), wrong: wrong, right: right)
        }
    }

    /// The first code of a cell.
    private static func code(in cell: String) -> String? {
        let parts = cell.components(separatedBy: "`")
        return parts.count > 2 ? parts[1] : nil
    }
}

@Suite("The guide on compile errors")
struct CompileErrorTests {
    /// The types that the rows use.
    private static let types = """
        import ServiceHost
        final class Stock: Sendable {}
        final class Basket { var items = 0 }
        final class Parcel: Sendable {
            let stock: Stock
            init(stock: Stock) { self.stock = stock }
        }
        @MainActor final class Screen { init() {} }
        struct ServerSettings: Settings { @Setting("Where clients connect") var port = 8080 }

        """

    /// Compiles each line in a function of its own.
    ///
    /// - Returns: whether all compile, and the first error of each line that has one.
    private static func compile(_ lines: [String]) async throws -> (compiles: Bool, errors: [String?]) {
        var text = types, starts: [Int] = []
        for (number, line) in lines.enumerated() {
            text += "func row\(number)(container: Container, r: Resolver) async throws {\n"
            starts.append(text.count { $0 == "\n" } + 1)
            text += line + "\n}\n"
        }
        // The compiler's input begins with one more import.
        let outcome = try await Compiler.compile(text)
        let errors = starts.map { start in
            outcome.lines("error").first { $0.contains("Snippet.swift:\(start + 1):") }
                .map { String($0.components(separatedBy: ": error: ").dropFirst().joined(separator: ": error: ")) }
        }
        return (outcome.compiles, errors)
    }

    @Test("The compiler says of each line what its row has, and accepts what to write")
    func rows() async throws {
        let rows = try CompileError.all()
        #expect(rows.count == 17)
        var errors = try await Self.compile(rows.map(\.wrong)).errors
        // Data races are found only in a file without other errors.
        let late = rows.indices.filter { errors[$0] == nil }
        for (index, error) in zip(late, try await Self.compile(late.map { rows[$0].wrong }).errors) {
            errors[index] = error
        }
        for (row, error) in zip(rows, errors) {
            #expect(error?.contains(row.message) == true, "\(row): \(error ?? "no error")")
        }
        let right = try await Self.compile(rows.map(\.right))
        for (row, error) in zip(rows, right.errors) where error != nil { Issue.record("\(row.right): \(error ?? "")") }
        #expect(right.compiles)
    }

    @Test("A public settings type must have a public initializer, as the guide says")
    func publicInitializer() async throws {
        let type = "import ServiceHost\npublic struct Server: Settings { @Setting(\"The port\") var port = 8080"
        let outcome = try await Compiler.compile(type + " }")
        let message =
            "initializer 'init()' must be declared public because it matches a requirement in public protocol 'Settings'"
        #expect(!outcome.compiles && outcome.messages.contains(message), "\(outcome.messages)")
        #expect(try ReadmeBlocks.guide("CompileErrors").contains("`\(message)`"))
        #expect(try await Compiler.compile(type + "; public init() {} }").compiles)
    }

    @Test("A loader is not found without the import that the guide names")
    func imports() async throws {
        let line = "let loader = TomlPropertyLoader(string: \"\", name: \"a\")"
        let outcome = try await Compiler.compile(line)
        let message = "cannot find 'TomlPropertyLoader' in scope"
        #expect(!outcome.compiles && outcome.messages.contains(message), "\(outcome.messages)")
        #expect(try ReadmeBlocks.guide("CompileErrors").contains("`\(message)`"))
        #expect(try await Compiler.compile("import ServiceHost\n" + line).compiles)
    }
}
