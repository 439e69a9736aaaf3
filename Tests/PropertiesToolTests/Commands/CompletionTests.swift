import Foundation
import TestSupport
import Testing

@Suite("properties completion")
struct CompletionTests {
    @Test("bash completes with the script", .enabled(if: FileManager.default.fileExists(atPath: "/bin/bash")))
    func bash() async throws {
        let files = try TemporaryFolder(["output": "", "errors": ""])
        let process = try ToolRun.process(
            [], in: files,
            through: """
                exec bash -c '
                source <("$0" completion bash)
                for words in "d" "check --form" "dump c"; do
                    COMP_WORDS=(properties $words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _properties
                    echo "${COMPREPLY[@]}"
                done
                complete -p properties' "$0"
                """)
        try await process.runToEnd()
        #expect(try files.text(of: "errors").isEmpty)
        #expect(
            try files.text(of: "output") == """
                dump diff decode
                --format --format-output

                complete -o default -F _properties properties

                """)
    }

    @Test("Other shells have a script with all commands, and an unknown one is an error")
    func shells() async throws {
        for shell in ["zsh", "fish"] {
            let script = try await ToolRun(["completion", shell]).output
            #expect(script.contains("explain"), "\(script)")
        }
        #expect(try await ToolRun(["completion", "tcsh"]).status == 2)
    }
}
