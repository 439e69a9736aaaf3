import Foundation
import TestSupport
import Testing

@Suite("The quickstart")
struct QuickstartTests {
    @Test("With the files of the repository it prints its settings")
    func right() async throws {
        let run = try await ToolRun([], in: Repository.root, executable: "quickstart")
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("PricingService"))
        #expect(try Self.wordsOfPicture() == Self.words(run.output), "Run .ci/picture quickstart to draw it anew.")
    }

    /// The words of the picture in the README, without the command in its title.
    private static func wordsOfPicture() throws -> [Substring] {
        let picture = try String(
            contentsOf: Repository.root.appendingPathComponent(".github/quickstart.svg"), encoding: .utf8)
        let lines = picture.matches(of: /<text [^>]*>(.*)<\/text>/).map { String($0.1) }
        #expect(lines.first == "$ swift run quickstart")
        let text = lines.dropFirst().joined(separator: "\n")
        return words(
            text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&amp;", with: "&"))
    }

    private static func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }
}
