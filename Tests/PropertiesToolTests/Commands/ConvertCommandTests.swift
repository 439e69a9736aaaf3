import Foundation
import PropertyLoaders
import Testing

@Suite("properties convert")
struct ConvertCommandTests {
    private let folder: TemporaryFolder
    /// A document as `convert` writes it.
    private static let all = """
        name = "say \\"b\\" \\\\ \\t\\u0001 é 日本 $HOME # x"
        port = 8080
        rate = 1.5
        big = 1e+300
        on = true
        "" = "empty"
        list = [1, "two", [3.5, { x = 1 }], []]

        [api]
        baseURL = "http://a"
        "a.b" = 1

        [api.deep]

        [api.deep."key with space"]
        x = -9223372036854775808

        [empty]

        [[servers]]
        host = "a"
        tags = ["x"]

        [[servers]]
        host = "b"

        [servers.more]
        y = 2

        """

    init() throws {
        folder = try TemporaryFolder([
            "all.toml": Self.all,
            "tables.json": #"{"api": {"deep": {"x": 1e300}}, "a": 1, "list": [{"y": 2}, {}]}"#,
            "nested.json": #"{"d": [{"a": null}]}"#,
            "odd.toml":
                "a = 2026-11-22T10:00:00Z\nb = 2026-11-22\nc = nan\nd = 10:00:00.5\ne = 2026-11-22T10:00:00+02:00\n",
            "odd.json": #"{"n": null, "u": 18446744073709551615, "i": 123456789012345678901234567890, "l": [null]}"#,
            "data.plist": "<plist version=\"1.0\"><dict><key>blob</key><data>AQID</data></dict></plist>",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("A document of another format has the same properties", arguments: ["toml", "json"])
    func sameProperties(format: String) async throws {
        let converted = try await run("convert", "--to", format, "all.toml")
        try Data(converted.output.utf8).write(to: folder.url.appendingPathComponent("new.\(format)"))
        #expect(converted.status == 0)
        #expect(converted.errors.isEmpty)
        let diff = try await run("diff", "all.toml", "--", "new.\(format)")
        #expect(diff.output.isEmpty)
        #expect(diff.status == 0)
        // What was converted once does not change any more.
        let again = try await run("convert", "--to", format, "new.\(format)")
        #expect(again.output == converted.output)
    }

    @Test("TOML has plain values first, and headers for tables and arrays of tables")
    func toml() async throws {
        #expect(try await run("convert", "--to", "toml", "all.toml").output == Self.all)
        #expect(
            try await run("convert", "--to", "toml", "tables.json").output == """
                a = 1

                [api]

                [api.deep]
                x = 1e+300

                [[list]]
                y = 2

                [[list]]

                """)
    }

    @Test(
        "What a format cannot express is listed, and only --lossy writes it",
        arguments: [
            (
                "json", ["odd.toml", "data.plist"],
                [
                    "odd.toml:1:5: 'a' is the offset date-time 2026-11-22T10:00:00Z, and becomes the string \"2026-11-22T10:00:00Z\"",
                    "odd.toml:2:5: 'b' is the local date 2026-11-22, and becomes the string \"2026-11-22\"",
                    "data.plist:1:43: 'blob' is data of 3 bytes, and becomes the string \"AQID\"",
                    "odd.toml:3:5: 'c' is the number nan, and becomes the string \"nan\"",
                    "odd.toml:4:5: 'd' is the local time 10:00:00.5, and becomes the string \"10:00:00.5\"",
                    "odd.toml:5:5: 'e' is the offset date-time 2026-11-22T10:00:00+02:00, and becomes the string \"2026-11-22T10:00:00+02:00\"",
                ]
            ),
            (
                "toml", ["odd.json"],
                [
                    "odd.json:1:45: 'i' is the integer 123456789012345678901234567890, and becomes the string \"123456789012345678901234567890\"",
                    "odd.json:1:82: 'l' is an array of 1 value, and becomes an array of 0 values",
                    "odd.json:1:7: 'n' is null, and is left out",
                    "odd.json:1:18: 'u' is the integer 18446744073709551615, and becomes the string \"18446744073709551615\"",
                ]
            ),
            (
                "toml", ["nested.json"],
                [
                    "nested.json:1:7: 'd' is an array of 1 value, and becomes an array of 1 value with a difference inside"
                ]
            ),
        ])
    func losses(format: String, files: [String], losses: [String]) async throws {
        let run = try await ToolRun(["convert", "--to", format] + files, in: folder.url)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        let lines = run.errors.split(separator: "\n").map(String.init)
        #expect(lines.last == "error: \(format) cannot express these values. Convert them anyway with --lossy.")
        #expect(Array(lines.dropLast()) == losses)
        let lossy = try await ToolRun(["convert", "--lossy", "--to", format] + files, in: folder.url)
        #expect(lossy.status == 0)
        #expect(!lossy.output.isEmpty)
        #expect(lossy.errors.split(separator: "\n").count == lines.count - 1)
    }

    @Test("The format is required, and is one that can be written")
    func usage() async throws {
        #expect(try await run("convert", "all.toml").status == 2)
        #expect(try await run("convert", "--to", "directory", "all.toml").status == 2)
    }
}
