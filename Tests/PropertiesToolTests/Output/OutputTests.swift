import Foundation
import TestSupport
import Testing

@Suite("Output on a terminal")
struct OutputTests {
    private static let hostile = "x\u{1B}]0;title\u{7}\u{7F}\u{9B}2J\u{202E}\u{2028}y"
    private static let escaped = "x\\u{1b}]0;title\\u{7}\\u{7f}\\u{9b}2J\\u{202e}\\u{2028}y"

    private func expectHarmless(_ text: String) {
        let found = text.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) || [0x202E, 0x2028].contains($0.value)
        }
        #expect(found.isEmpty, "\(text.debugDescription)")
    }

    @Test("Control characters of arguments, file names, keys and values are escaped")
    func escaped() async throws {
        let name = "\(Self.hostile).json"
        let folder = try TemporaryFolder([name: "{\"\(Self.hostile.unicodeScalars.filter { $0.value > 0x1F })\": 1}"])
        let checked = try await ToolRun(["check", name], in: folder.url)
        #expect(checked.output == "\(Self.escaped).json: ok, 1 property\n")
        for words in [
            [Self.hostile], ["check", "--\(Self.hostile)"], ["check", Self.hostile],
            ["dump", "--format", Self.hostile],
            ["dump", name], ["dump", "--json", name], ["explain", Self.hostile, name], ["get", Self.hostile, name],
            ["decode", name], ["get", "--json", "v", "--set", "v=\(Self.hostile)"],
            ["dump", "--set", "\(Self.hostile)=\(Self.hostile)"], ["check", "--format", "json", Self.hostile],
        ] {
            let run = try await ToolRun(words, in: folder.url)
            expectHarmless(run.output)
            expectHarmless(run.errors)
            #expect(!(run.output + run.errors).isEmpty)
        }
    }

    @Test("Printed JSON reads back as the value")
    func json() async throws {
        let run = try await ToolRun(["get", "--json", "v", "--set", "v=\(Self.hostile)"])
        let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8), options: .fragmentsAllowed)
        #expect(value as? String == Self.hostile)
    }

    @Test("get does not escape text that it prints to a file")
    func getToFile() async throws {
        #expect(try await ToolRun(["get", "v", "--set", "v=\(Self.hostile)"]).output == "\(Self.hostile)\n")
    }

    // The program `script` of util-linux runs a command on a terminal of its own. On other systems it has other
    // options.
    private static let script = "/usr/bin/script"

    @Test(
        "get escapes control characters on a terminal",
        .enabled(if: ToolRun.isLinux && FileManager.default.isExecutableFile(atPath: script)))
    func getToTerminal() async throws {
        let files = try TemporaryFolder(["v.env": "V='\(Self.hostile)'", "output": "", "errors": ""])
        let process = try ToolRun.process([], in: files)
        let tool = try #require(process.executableURL)
        process.executableURL = URL(fileURLWithPath: Self.script)
        process.arguments = ["--quiet", "--return", "--command", "'\(tool.path)' get v v.env", "/dev/null"]
        try await process.runToEnd()
        #expect(try files.text(of: "output") == "\(Self.escaped)\r\n")
    }
}
