import Foundation
import Testing

/// A parameter of a function, as its declaration and the table of a guide have it.
private struct Parameter: Equatable, CustomStringConvertible {
    let name: String
    let type: String
    /// The default value, or nil if an argument is required.
    let value: String?

    var description: String { "\(name): \(type)" + (value.map { " = \($0)" } ?? "") }

    /// Returns the parameters of a public function in a file of the sources.
    static func all(of function: String, in file: String) throws -> [Self] {
        let source = try ReadmeBlocks.text(of: "Sources/\(file).swift")
        let start = try #require(source.firstRange(of: " func \(function)("), "\(file) does not have \(function)")
        return parts(of: source[start.upperBound...]).map { part in
            // A type has no `=`, and a label no colon.
            let halves = part.components(separatedBy: " = ")
            let (names, type) = halved(halves[0], at: ": ")
            let words = names.split(separator: " ").map(String.init)
            let name = words.first == "_" ? words[1] : words[0]
            return Parameter(name: name, type: type, value: halves.count > 1 ? halves[1] : nil)
        }
    }

    /// Returns the rows of the table whose first column has the name of the function as its title.
    static func rows(of function: String, in guide: String) throws -> [Self] {
        let lines = try ReadmeBlocks.guide(guide).components(separatedBy: "\n")
        let start = try #require(
            lines.firstIndex(of: "| parameter of `\(function)` | type | default | meaning |"), "\(guide)")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: ["|", " ", "`"]) }
            return Parameter(name: cells[0], type: cells[1], value: cells[2] == "required" ? nil : cells[2])
        }
    }

    private static func halved(_ text: String, at separator: String) -> (String, String) {
        let parts = text.components(separatedBy: separator)
        return (parts[0], parts.dropFirst().joined(separator: separator))
    }

    /// Splits the text between a parenthesis and its end at the commas that are in no bracket.
    private static func parts(of text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if "([<".contains(character) { depth += 1 }
            // The `>` of an arrow ends nothing.
            if ")]>".contains(character), parts[parts.count - 1].last != "-" { depth -= 1 }
            if depth < 0 { break }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }
}

@Suite("The parameters in guides")
struct SignatureTests {
    private static let sources = "PropertyLoadersEssentials/Composition/StandardSources"
    private static let run = "ServiceHost/Container+Run"

    @Test(
        "A table has each parameter of a function in its order, with its type and its default",
        arguments: [("standardSources", "Sources", sources, 15), ("run", "ServiceInOneCall", run, 16)])
    func tables(function: String, guide: String, file: String, count: Int) throws {
        let parameters = try Parameter.all(of: function, in: file)
        #expect(parameters.count == count)
        let rows = try Parameter.rows(of: function, in: guide)
        for (row, parameter) in zip(rows, parameters) { #expect(row == parameter) }
        #expect(rows.count == parameters.count)
    }

    @Test("The guide names what runUntilStopped has and run has not, and the other way round")
    func differences() throws {
        let run = try Parameter.all(of: "run", in: Self.run)
        let test = try Parameter.all(of: "runUntilStopped", in: Self.run)
        let added = test.filter { !run.contains($0) }.map { "`\($0)`" }
        let removed = run.filter { !test.contains($0) }.map { "`\($0.name)`" }
        #expect(added == ["`arguments: [String] = []`"])
        let sentence =
            "It has `run`'s parameters and \(added.joined(separator: ", ")), without "
            + "\(removed.dropLast().joined(separator: ", ")) and \(removed.last ?? "")."
        #expect(try ReadmeBlocks.guide("ServiceInOneCall").contains(sentence), "\(sentence)")
    }
}
