import Foundation
import Testing

@Suite("A service whose user chooses its file and its folder of secrets", .timeLimit(.minutes(10)), .highPriority)
struct ChosenPathTests {
    private static let files = [
        "config.toml": "text = \"Default\"", "other/app.toml": "text = \"Other\"\nport = 0\n",
        "other/app.test.toml": "text = \"Profile\"", "third.json": "{\"text\": \"Third\"}", "vault/password": "hunter2",
        "wrong.toml": "port = \"many\"", "broken.toml": "text = ", "notes.txt": "text", "bad/password/x": "y",
    ]

    private func process(
        _ arguments: [String], _ variables: [String: String] = [:], profile: String = ""
    ) throws -> HostedProcess {
        try HostedProcess("chooses paths", arguments, files: Self.files, profile: profile, variables: variables)
    }

    private static let config = "HOSTED_CONFIG", secrets = "HOSTED_SECRETS"

    @Test(
        "--help names what has chosen a path, and an empty choice is none",
        arguments: [
            ([], [:], nil), (["--config="], [config: "", secrets: ""], nil),
            (["--config", "third.json"], [:], "third.json, by --config"),
            (["--config=third.json"], [config: "other/app.toml"], "third.json, by --config"),
            (["--config="], [config: "none.toml"], "none.toml, by HOSTED_CONFIG"),
            ([], [secrets: "vault"], "vault, by HOSTED_SECRETS"),
            (["--secrets", "vault"], [secrets: "x"], "vault, by --secrets"),
            (["--config", "a\nb.toml"], [:], #"a\nb.toml, by --config"#),
        ] as [([String], [String: String], String?)])
    func help(arguments: [String], variables: [String: String], choice: String?) async throws {
        let process = try process(["--help"] + arguments, variables)
        #expect(await process.status() == 0)
        #expect(process.errors.text == "")
        let lines = process.output.all.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("Read this file instead of config.toml. [env: HOSTED_CONFIG]"))
        #expect(lines.contains("Read the secrets in this folder instead of secrets. [env: HOSTED_SECRETS]"))
        #expect(lines.filter { $0.hasPrefix("Now it is ") } == (choice.map { ["Now it is \($0)."] } ?? []))
    }

    @Test(
        "settings explain shows the value of the chosen file or of the profile's file beside it, and what has chosen it",
        arguments: [
            ([], [:], "", "config.toml:1:8", nil), (["--config="], [config: ""], "", "config.toml:1:8", nil),
            (["--config", "third.json"], [:], "", "third.json:1:10", "third.json (chosen by --config)"),
            ([], [config: "other/app.toml"], "", "other/app.toml:1:8", "other/app.toml (chosen by HOSTED_CONFIG)"),
            (
                [], [config: "other/app.toml"], "test", "other/app.test.toml:1:8",
                "other/app.toml (chosen by HOSTED_CONFIG)"
            ),
            (
                ["--config", "other/app.toml"], [config: "none.toml"], "test", "other/app.test.toml:1:8",
                "other/app.toml (chosen by --config)"
            ),
        ] as [([String], [String: String], String, String, String?)])
    func explain(
        arguments: [String], variables: [String: String], profile: String, place: String, choice: String?
    ) async throws {
        let process = try process(["settings", "explain", "text"] + arguments, variables, profile: profile)
        #expect(await process.status() == 0)
        let text = process.output.text
        #expect(text.contains(place), "\(text)")
        #expect(text.contains("chosen by") == (choice != nil), "\(text)")
        if let choice { #expect(text.contains("config     \(choice)"), "\(text)") }
    }
}
