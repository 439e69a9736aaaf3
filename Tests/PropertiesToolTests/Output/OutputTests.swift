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

    @Test("get does not escape text that it prints to a file")
    func getToFile() async throws {
        #expect(try await ToolRun(["get", "v", "--set", "v=\(Self.hostile)"]).output == "\(Self.hostile)\n")
    }

    @Test("get escapes control characters on a terminal")
    func getToTerminal() async throws {
        let folder = try TemporaryFolder(["v.env": "V='\(Self.hostile)'", "output": "", "errors": ""])
        let process = try ToolRun.process(["get", "v", "v.env"], in: folder)
        let terminal = try Terminal()
        process.standardOutput = terminal.handle
        try await process.runToEnd()
        #expect(try terminal.screen() == "\(Self.escaped)\n")
    }

    /// A terminal for the output of a process.
    private struct Terminal {
        private let controller: FileHandle
        let handle: FileHandle

        init() throws {
            var (screen, output) = (CInt(-1), CInt(-1))
            let status = unsafe openpty(&screen, &output, nil, nil, nil)
            try #require(status == 0)
            controller = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
            handle = FileHandle(fileDescriptor: output, closeOnDealloc: true)
        }

        /// Returns what was written, which is little enough for the buffer of the terminal.
        func screen() throws -> String {
            let text = String(decoding: controller.availableData, as: UTF8.self)
            return text.replacing("\r\n", with: "\n")
        }
    }

    @Test("No line of a help text is wider than 80 characters, and each text has all options of its command")
    func help() async throws {
        let overview = try await ToolRun(["--help"]).output
        let commands = overview.matches(of: #/\n  ([a-z]+) /#).map { String($0.1) }
        #expect(commands == ["check", "get", "dump", "explain", "decode"])
        for text in [overview] + (try await helpTexts(commands)) {
            #expect(text.hasPrefix("usage: properties "))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
        }
        #expect(
            try await ToolRun(["decode", "--help"]).output == """
                usage: properties decode --format FORMAT [FILE]

                Prints one document as JSON in which every value has its type.

                A value that is not a table or an array becomes {"type": "integer", "value":
                "30"}. Without FILE it reads standard input.

                  --format FORMAT       the format of standard input, pipes, and files whose
                                        name does not tell it: json, toml, plist, env,
                                        directory, which is a mount of secrets
                  --help                prints this text

                Examples:
                  properties decode config.toml
                  properties decode --format json < settings.json

                """)
    }

    private func helpTexts(_ commands: [String]) async throws -> [String] {
        var texts: [String] = []
        for command in commands { texts.append(try await ToolRun([command, "--help"]).output) }
        return texts
    }
}
