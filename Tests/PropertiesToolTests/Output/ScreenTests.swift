import Foundation
import TestSupport
import Testing

/// The files `Screens/NAME-COLUMNSxROWS.txt` are what each command prints on terminals of two sizes. To write them
/// anew, run the tests with RECORD_SCREENS=1 in the environment, and read the differences.
@Suite("On a terminal every command fits", .serialized, .hangLimit)
struct ScreenTests {
    struct Screen: CustomTestStringConvertible {
        let name: String
        let words: [String]
        var until: String?
        /// Whether the output is a table, whose columns are checked.
        var isTable = false

        var testDescription: String { name }
    }

    static let screens =
        [
            Screen(name: "help", words: ["--help"]),
            Screen(name: "check", words: ["check", "long.toml", "broken.toml", "marker.toml", "none.json", "x.conf"]),
            Screen(name: "check-schema", words: ["check", "config.toml", "--schema", "schema.json"]),
            Screen(name: "get", words: ["get", ".", "override.json"]),
            Screen(name: "dump", words: ["dump", "config.toml", "long.toml"], isTable: true),
            Screen(name: "explain", words: ["explain", "データ.説明", "config.toml", "override.json"], isTable: true),
            Screen(name: "diff", words: ["diff", "config.toml", "--", "override.json"], isTable: true),
            Screen(name: "watch", words: ["watch", "config.toml"], until: "to stop\n"),
            Screen(name: "convert", words: ["convert", "--to", "env", "config.toml"]),
            Screen(name: "decode", words: ["decode", "override.json"]),
            Screen(name: "usage", words: ["dump", "--merge", "never", "config.toml"]),
        ]
        + ["check", "get", "dump", "explain", "diff", "watch", "convert", "decode", "completion"].map {
            Screen(name: "help-\($0)", words: [$0, "--help"])
        }

    private static let folder = Repository.root.appending(path: "Tests/PropertiesToolTests/Screens")

    private let files: TemporaryFolder

    init() throws {
        files = try TemporaryFolder([
            "config.toml": """
            title = "設定ファイルの見本"
            launch = "🚀 to the moon 👩‍👩‍👧 with 🇩🇪 flags"
            accent = "e\u{301}te\u{301}"
            port = 80

            ["データ"]
            "説明" = "こんにちは"
            "説明2" = "b"
            url = "https://api.example.com/v2/accounts/with/a/long/path/that/does/not/fit/into/a/row"

            """,
            "long.toml": """
            sentence = "A sentence that is so long that no terminal of eighty columns shows it on a single line, and that needs even more than the three lines that a cell has at most, because it goes on and on."
            [services.accounts.database.primary.connection]
            maximum_number_of_connections = 30

            """,
            "override.json": #"{"データ": {"説明": "さようなら 👋"}, "port": 8080, "since": null, "list": [1, {"a": 2.5}]}"#,
            "broken.toml": "title = \"設定 🚀 の見本です、とても長い行なので端末の幅を超えてしまいます。まだまだ続きます\n",
            "x.conf": "",
            "marker.toml": "\"設定 🚀\" = nonsense\n",
            "schema.json": """
            {"type": "object", "properties": {
                "title": {"type": "string"}, "launch": {"type": "boolean"},
                "port": {"type": "integer", "minimum": 1024}, "データ": {"type": "object", "properties": {
                    "説明文": {"type": "string", "x-required": true}}}}}
            """,
        ])
    }

    private func output(_ screen: Screen, _ columns: Int, _ rows: Int) async throws -> String {
        try await PseudoTerminal(columns: columns, rows: rows).run(
            screen.words, in: files.url, environment: ["NO_COLOR": "1", "TERM": "xterm"], until: screen.until)
    }

    @Test("Each screen is the recorded one, and no line is wider than the terminal", arguments: [(80, 24), (200, 50)])
    func screens(columns: Int, rows: Int) async throws {
        #expect(Self.screens.count == 20)
        for screen in Self.screens {
            let text = try await output(screen, columns, rows)
            let file = Self.folder.appendingPathComponent("\(screen.name)-\(columns)x\(rows).txt")
            if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
                try Data(text.utf8).write(to: file)
            }
            #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self), "\(screen.name)")
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(!text.isEmpty)
            for line in lines { #expect(Self.cells(line).count <= columns, "\(screen.name): \(line)") }
            if screen.isTable { expectAligned(lines, "\(screen.name) at \(columns)") }
        }
    }

    /// Expects that every column of a table begins at the same cell in all rows, and that a gap precedes it.
    private func expectAligned(_ lines: [Substring], _ name: String) {
        guard let rule = lines.first(where: { $0.hasPrefix("─") }).map({ Self.cells($0) }) else {
            Issue.record("\(name) has no table")
            return
        }
        let starts = rule.indices.filter { $0 > 0 && rule[$0] == "─" && rule[$0 - 1] == " " }
        #expect(starts.count == 2)
        for line in lines where !line.isEmpty {
            let cells = Self.cells(line)
            for start in starts where start < cells.count {
                #expect(cells[start - 1] == " " && cells[start - 2] == " ", "\(name): \(line)")
            }
        }
    }

    /// A plain model of a terminal for the characters in these tests: what each cell of a line shows. The second cell
    /// of a wide character is empty.
    private static func cells(_ line: Substring) -> [String] {
        line.flatMap { character -> [String] in
            let value = character.unicodeScalars.first?.value ?? 0
            let isWide = (0x3000...0x9FFF).contains(value) || (0xFF01...0xFF60).contains(value) || value >= 0x1F000
            return isWide ? [String(character), ""] : [String(character)]
        }
    }

    @Test("Colours are used on a terminal, unless NO_COLOR is set or the terminal is dumb")
    func colors() async throws {
        let words = ["diff", "config.toml", "--", "override.json"]
        for (environment, hasColors) in [
            (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
            (["TERM": "dumb", "NO_COLOR": ""], false),
        ] {
            let text = try await PseudoTerminal(columns: 80, rows: 24)
                .run(words, in: files.url, environment: environment)
            #expect(text.contains("\u{1B}[1mproperty") == hasColors)
            #expect(text.contains("\u{1B}[31m- port") == hasColors)
            #expect(text.contains("\u{1B}[32m+ port") == hasColors)
            #expect(text.contains("\u{1B}") == hasColors)
        }
        let errors = try await PseudoTerminal(columns: 80, rows: 24)
            .run(["check", "broken.toml"], in: files.url, environment: ["TERM": "xterm", "NO_COLOR": ""])
        #expect(errors.hasPrefix("broken.toml:1:9: \u{1B}[31merror:\u{1B}[0m the string"))
    }

    @Test("--no-trunc, a file and a pipe leave nothing out")
    func whole() async throws {
        let piped = try await ToolRun(["dump", "long.toml"], in: files.url).output
        #expect(piped.contains("because it goes on and on.\""))
        #expect(!piped.contains("…"))
        let whole = try await PseudoTerminal(columns: 80, rows: 24)
            .run(["dump", "long.toml", "--no-trunc"], in: files.url, environment: ["NO_COLOR": "1"])
        #expect(whole == piped)
    }
}
