import Foundation
import Testing

/// The Swift blocks of the documents, and the code of the tests that they must stand in.
enum ReadmeBlocks {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Each Swift block of a document, as its lines without indentation.
    static func blocks(of document: String) throws -> [[String]] {
        let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        var blocks: [[String]] = []
        var current: [String]?
        for line in lines(text) {
            if line.hasPrefix("```") {
                if let block = current { blocks.append(block) }
                current = current == nil && line == "```swift" ? [] : nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// All Swift code that is compiled with the tests, and the manifest of the package that uses this one.
    static func compiledCode() throws -> [[String]] {
        let tests = root.appendingPathComponent("Tests")
        let names = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
        let files = names.filter { $0.hasSuffix(".swift") }.map { tests.appendingPathComponent($0) }
        let manifest = root.appendingPathComponent("Fixtures/Consumer/Package.swift")
        return try (files + [manifest]).map { lines(try String(contentsOf: $0, encoding: .utf8)) }
    }

    /// Whether a file has a block's lines one behind the other.
    static func contains(_ file: [String], _ block: [String]) -> Bool {
        guard let first = block.first, block.count <= file.count else { return false }
        return file.indices.dropLast(block.count - 1).contains { start in
            file[start] == first && file[start..<start + block.count].elementsEqual(block)
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

@Suite("The documents")
struct ReadmeTests {
    @Test("Every Swift block of the README stands, compiled, in a test")
    func blocksAreCompiled() throws {
        let code = try ReadmeBlocks.compiledCode()
        let blocks = try ReadmeBlocks.blocks(of: "README.md")
        #expect(blocks.count >= 9)
        for block in blocks {
            #expect(
                code.contains { ReadmeBlocks.contains($0, block) },
                "stands in no test:\n\(block.joined(separator: "\n"))")
        }
    }
}
