import Foundation
import TestSupport
import Testing

@Suite("The quickstart reports all mistakes in its files at once")
struct QuickstartTests {
    private let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>name</key><string>Mike</string></dict></plist>
        """
    private let settings = #"{"database": {"host": "h", "port": "many", "name": "shop"}}"#

    /// Runs the quickstart in a folder with the given files in `Fixtures/quickstart`.
    private func run(_ files: [String: String]) async throws -> ToolRun {
        let folder = try TemporaryFolder([:])
        let fixtures = folder.url.appendingPathComponent("Fixtures/quickstart")
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: fixtures.appendingPathComponent(name)) }
        return try await ToolRun([], in: folder.url, executable: "quickstart")
    }

    @Test("Wrong and missing values are one table on standard error, and the exit status is EX_CONFIG")
    func values() async throws {
        let run = try await run([
            "team.plist": plist, "settings.json": settings,
            "config.toml": "[api]\ntimeout = \"soon\"\n[packages.unlimited]\ncost = 1.5\n",
        ])
        #expect(run.status == 78)
        #expect(run.output == "")
        let lines = [
            "The configuration has 3 problems:",
            "  Fixtures/quickstart/config.toml:2:11    'api.timeout' is the string \"soon\"; expected a number "
                + "(it overrides 30 at Defaults api.timeout). Change the value.",
            "  Fixtures/quickstart/settings.json:1:36  'database.port' is the string \"many\"; expected an integer "
                + "(it overrides 5432 at Defaults database.port). Change the value.",
            "  in no source                            'team' is missing; expected a string. Set it in a source.",
        ]
        #expect(run.errors == lines.map { $0 + "\n" }.joined())
    }

    @Test("With the files of the repository it prints its settings")
    func right() async throws {
        let run = try await ToolRun([], in: Repository.root, executable: "quickstart")
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("PricingService"))
        #expect(try Self.wordsOfPicture() == Self.words(run.output), "Run .ci/picture to draw it anew.")
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
