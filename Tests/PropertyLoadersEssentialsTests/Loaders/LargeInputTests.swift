import Foundation

import PropertyLoadersEssentials
import TestSupport
import Testing

// Time that grows with the square of the size would be hours here, and memory that grows so would not be there.
@Suite("Large and hostile inputs load in time and memory in proportion to their size", .timeLimit(.minutes(10)))
struct LargeInputTests {
    private static let count = LongRun.isRequested ? 50_000 : 5_000

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

    // MARK: - Numbers

    private static let digits = String(repeating: "1234567890", count: LongRun.rounds(1000))

    @Test("A number of very many digits in a document is kept, rounded or refused")
    func longNumbers() throws {
        let digits = Self.digits
        let store = try PropertyStore(
            sources: JsonPropertyLoader(
                string: "{\"a\": \(digits), \"b\": -0.\(digits), \"c\": 1e-\(digits)}", name: "j"),
            TomlPropertyLoader(
                string: "d = 1.\(digits)\ne = 0x\(String(repeating: "0", count: digits.utf8.count))1", name: "t"))
        guard case .bigInteger(digits)? = store.property("a") as PropertyValue? else {
            Issue.record("the integer has changed")
            return
        }
        #expect(store.property("b") == -0.12345678901234568)
        #expect(store.property("c") == 0.0)
        #expect(store.property("d") == 1.1234567890123457)
        #expect(store.property("e") == 1)
        for text in ["{\"a\": 1e\(digits)}", "{\"a\": \(digits).0}"] {
            let loader = JsonPropertyLoader(string: text, name: "j")
            let error = loadError { try loader.load() }
            #expect(error.map { $0.longDescription.utf8.count < 1000 } == true)
        }
    }

    @Test("Very many files in a directory, most of them empty")
    func manyFiles() throws {
        let scratch = try Scratch()
        let path = scratch.url.path
        let count = LongRun.rounds(1000)
        for number in 0..<count {
            let descriptor = unsafe open("\(path)/file\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            if number % (count / 100) == 0 { unsafe #expect(write(descriptor, "full", 4) == 4) }
            close(descriptor)
        }
        let layer = try DirectoryPropertyLoader(url: scratch.url, sizeLimit: 400).load()
        #expect(layer.table.count == count)
    }
}
