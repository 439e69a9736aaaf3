import Foundation
import TestSupport
import Testing

@Suite("The picture of the performance")
struct PerformancePictureTests {
    private static let docs = Repository.root.appendingPathComponent(
        "Sources/ServiceHost/ServiceHost.docc", isDirectory: true)

    @Test("It has the means of the parsers and the ratios of the other tables, in their order")
    func figures() throws {
        let article = try String(contentsOf: Self.docs.appendingPathComponent("Comparison.md"), encoding: .utf8)
        let picture = try String(contentsOf: Self.docs.appendingPathComponent("performance.svg"), encoding: .utf8)
        let drawn = picture.matches(of: /<text class="ratio"[^>]*>(.*)<\/text>/).map { String($0.1) }
        #expect(drawn == Self.ratios(in: article), "Run .ci/picture performance to draw it anew.")
        #expect(drawn.count > 10)
    }

    /// The numbers in the rows of the tables, of the tables of parsers only the last row.
    private static func ratios(in article: String) -> [String] {
        article.components(separatedBy: "\n### ").flatMap { section -> [String] in
            let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }.map { row in
                row.split(separator: "|").map { $0.trimmingCharacters(in: ["*", " "]) }
            }
            let means = rows.filter { $0[0] == "geometric mean" }
            return (means.isEmpty ? rows : means).flatMap { $0.dropFirst().filter { Double($0) != nil } }
        }
    }
}
