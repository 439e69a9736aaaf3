import Foundation
import TestSupport
import Testing

@Suite("properties completion")
struct CompletionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "config.toml": "name = 1\n[api]\ntimeout = 30\ntls = true\n\"$(touch hacked)\" = 1\n",
            "broken.toml": "a =",
        ])
    }

    /// The candidates for the word with an index.
    private func candidates(_ index: Int, _ words: String...) async throws -> [String] {
        let run = try await ToolRun(["__complete", "\(index)"] + words, in: folder.url)
        #expect(run.errors.isEmpty)
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test("Commands, options, their values and shells are completed")
    func words() async throws {
        #expect(try await candidates(0, "d") == ["dump", "diff", "decode"])
        #expect(try await candidates(0, "").contains("--version"))
        #expect(try await candidates(1, "check", "--form") == ["--format", "--format-output"])
        #expect(try await candidates(2, "check", "--format", "t") == ["toml"])
        #expect(try await candidates(1, "dump", "--format=p") == ["--format=plist"])
        #expect(try await candidates(3, "dump", "--merge", "=", "d") == ["deep"])
        #expect(try await candidates(1, "completion", "") == ["bash", "zsh", "fish"])
        #expect(try await candidates(1, "unknown", "") == [])
        #expect(try await candidates(1, "dump", "c") == [])
        #expect(try await ToolRun(["__complete", "5", "dump"]).status == 2)
    }

    @Test("Keys are completed from the files on the command line, and tables are keys")
    func keys() async throws {
        #expect(try await candidates(1, "get", "", "config.toml") == ["api", "api.timeout", "api.tls", "name"])
        #expect(try await candidates(1, "get", "api.ti", "config.toml") == ["api.timeout"])
        #expect(try await candidates(3, "explain", "--profile", "none", "a", "config.toml") == [])
        #expect(try await candidates(3, "get", "--set", "q.r=1", "") == ["q", "q.r"])
        #expect(try await candidates(1, "get", "", "broken.toml") == [])
        #expect(try await candidates(1, "get", "", "-", "--format", "json") == [])
        #expect(try await candidates(1, "get", "", "config.toml", "--schema", "-") == [])
        #expect(try await candidates(2, "get", "api", "c") == [])
    }

    @Test("bash completes with the script", .enabled(if: FileManager.default.fileExists(atPath: "/bin/bash")))
    func bash() async throws {
        let files = try TemporaryFolder(["output": "", "errors": ""])
        let process = try ToolRun.process(
            [], in: files, workingIn: folder.url,
            through: """
                exec bash -c '
                source <("$0" completion bash)
                COMP_WORDS=("$0" get api. config.toml); COMP_CWORD=2; _properties "$0"; printf "%s\\n" "${COMPREPLY[@]}"
                COMP_WORDS=("$0" ex); COMP_CWORD=1; _properties "$0"; printf "%s\\n" "${COMPREPLY[@]}"
                complete -p properties' "$0"
                """)
        try await process.runToEnd()
        #expect(try files.text(of: "errors").isEmpty)
        #expect(
            try files.text(of: "output") == """
                api.timeout
                api.tls
                explain
                complete -o bashdefault -o default -F _properties properties

                """)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("hacked").path))
    }
}
