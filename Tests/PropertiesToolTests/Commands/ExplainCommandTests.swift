import Testing

@Suite("properties explain")
struct ExplainCommandTests {
    @Test("explain says what replaced a table that had the property", arguments: ["lost.json", "null.json"])
    func lost(file: String) async throws {
        let folder = try TemporaryFolder([
            "config.toml": "[api]\ntimeout = 30\n", "lost.json": #"{"api": "none"}"#, "null.json": #"{"api": null}"#,
        ])
        let run = try await ToolRun(["explain", "api.timeout", "config.toml", file], in: folder.url)
        let value = file == "null.json" ? "null" : "\"none\""
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(run.status == 0)
        #expect(lines.count == 4)
        #expect(lines[2] == "lost to api \(value) \(file):1:9")
        #expect(lines[3] == "api.timeout 30 config.toml:2:11")
    }
}
