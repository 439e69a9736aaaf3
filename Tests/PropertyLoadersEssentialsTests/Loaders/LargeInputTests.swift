import Foundation

import PropertyLoadersEssentials
import TestSupport
import Testing

// Time that grows with the square of the size would be hours here, and memory that grows so would not be there.
@Suite("Large and hostile inputs load in time and memory in proportion to their size", .timeLimit(.minutes(10)))
struct LargeInputTests {
    private static let count = LongRun.rounds(500)

    /// A document, and the number of its properties.
    struct Document: CustomTestStringConvertible {
        let testDescription: String
        let isToml: Bool
        let count: Int
        let text: @Sendable () -> String

        init(_ name: String, isToml: Bool, count: Int, _ text: @escaping @Sendable () -> String) {
            (testDescription, self.isToml, self.count, self.text) = (name, isToml, count, text)
        }
    }

    /// Keys that are likely to collide in a weak hash function: they differ in few bits, or only in their middle.
    private static let similarKeys: [@Sendable (Int) -> String] = [
        { number in String((0..<17).map { number >> $0 & 1 == 0 ? "a" : "b" }) },
        { "aaaaaaaa\(100_000_000 + $0)aaaaaaaa" },
        { "\(100_000_000 + $0)" + String(repeating: "x", count: 40) },
        { String(repeating: "x", count: 40) + "\(100_000_000 + $0)" },
    ]

    static let documents: [Document] = {
        var documents = [
            Document("many tables in an array", isToml: true, count: 1) {
                String(repeating: "[[t]]\n", count: 20 * count)
            },
            Document("many objects in an array", isToml: false, count: 1) {
                "{\"a\": [" + String(repeating: "{},", count: 20 * count - 1) + "{}]}"
            },
            Document("many tables", isToml: true, count: count) { lines { "[t\($0)]" } },
            Document("many dotted keys", isToml: true, count: count) { lines { "a.b.c.k\($0) = 1" } },
            Document("the same key again and again", isToml: false, count: 1) {
                "{" + String(repeating: "\"k\": 1,", count: count) + "\"k\": 2}"
            },
        ]
        for (index, key) in similarKeys.enumerated() {
            documents.append(
                Document("similar keys \(index) in TOML", isToml: true, count: count) { lines { "\(key($0)) = 1" } })
            documents.append(
                Document("similar keys \(index) in JSON", isToml: false, count: count) {
                    "{" + (0..<count).map { "\"\(key($0))\": 1" }.joined(separator: ",") + "}"
                })
        }
        return documents
    }()

    private static func lines(_ line: (Int) -> String) -> String {
        (0..<count).map(line).joined(separator: "\n")
    }

    @Test("A document with very many tables or keys", arguments: documents)
    func many(document: Document) throws {
        let store = PropertyStore()
        if document.isToml {
            try store.apply(TomlPropertyLoader(string: document.text(), name: "large"))
        } else {
            try store.apply(JsonPropertyLoader(string: document.text(), name: "large"))
        }
        #expect(store.entries.count == document.count)
        // One for each of the first 100 duplicates, and one for all others.
        #expect(store.warnings.count <= 101)
    }

}
