import Foundation
import Testing

@Suite("A service whose user chooses its file and its folder of secrets", .timeLimit(.minutes(10)))
struct ChosenPathTests {
    private static let files = [
        "config.toml": "text = \"Default\"", "other/app.toml": "text = \"Other\"\nport = 0\n",
        "other/app.test.toml": "text = \"Profile\"", "third.json": "{\"text\": \"Third\"}", "vault/password": "hunter2",
        "wrong.toml": "port = \"many\"", "broken.toml": "text = ", "notes.txt": "text", "bad/password/x": "y",
        "folder.toml/x": "",
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

    @Test(
        "Each error of a chosen path names what has chosen it, and only that",
        arguments: [
            (["--config", "none.toml"], [:], "none.toml: no such file in ", "none.toml", "--config"),
            (["--config=none.toml"], [config: "other/app.toml"], "none.toml: no such file", "none.toml", "--config"),
            ([], [config: "none.toml"], "none.toml: no such file in ", "none.toml", config),
            (["--config="], [config: "none.toml"], "none.toml: no such file in ", "none.toml", config),
            (["--config=third.json", "--config=none.toml"], [:], "none.toml: no such", "none.toml", "--config"),
            (["--config", "config.toml/x.toml"], [:], "config.toml/x.toml: no such", "config.toml/x.toml", "--config"),
            (["--config", "a\nb.toml"], [:], #"a\nb.toml: no such"#, #"a\nb.toml"#, "--config"),
            (["--config", "vault"], [:], "vault: the extension does not tell a format", "vault", "--config"),
            ([], [config: "folder.toml"], "folder.toml: this is a directory", "folder.toml", config),
            (["--config", "notes.txt"], [:], "notes.txt: the extension does not tell", "notes.txt", "--config"),
            ([], [config: "broken.toml"], "broken.toml:1:8: a value is missing", "broken.toml", config),
            (["--config", "wrong.toml"], [:], "wrong.toml:1:8: 'port' is the string", "wrong.toml", "--config"),
            (["--secrets", "none"], [:], "none: no such directory", "none", "--secrets"),
            ([], [secrets: "config.toml"], "config.toml: this is a file", "config.toml", secrets),
        ] as [([String], [String: String], String, String, String)])
    func errors(
        arguments: [String], variables: [String: String], error: String, path: String, chooser: String
    ) async throws {
        for words in [[], ["settings", "check"], ["--check", "--json"], ["settings", "check", "--json"]] {
            let process = try process(words + arguments, variables)
            #expect(await process.status() == 78, "\(words)")
            let isJSON = words.contains("--json")
            let texts = isJSON ? try Self.problems(of: process) : process.errors.all
            #expect(texts.first?.hasPrefix(error) == true, "\(words) \(texts)")
            #expect(texts.last?.hasSuffix("\(path) was chosen by \(chooser).") == true, "\(words) \(texts)")
            let others = ["--config", "--secrets", Self.config, Self.secrets].filter { $0 != chooser }
            #expect(!others.contains { texts.joined().contains($0) }, "\(words) \(texts)")
        }
    }

    /// The texts of the problems in an answer as JSON.
    private static func problems(of process: HostedProcess) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(process.output.text.utf8)) as? [String: Any]
        let problems = try #require(object?["problems"] as? [[String: String]])
        return problems.compactMap { $0["text"] }
    }

    @Test("An option without a path is an error of the command line")
    func missingPath() async throws {
        let process = try process(["--config"])
        #expect(await process.status() == 64)
        #expect(
            process.errors.all.first
                == "command line --config: nothing follows; expected a path. Write --config PATH.")
    }

    @Test("A chosen file that goes away is named with what has chosen it, at each reload")
    func reload() async throws {
        let process = try process([], [Self.config: "other/app.toml"])
        try await process.output.wait(for: "serving")
        try process.replace("other/app.toml", by: nil)
        process.send(SIGHUP)
        try await process.errors.wait {
            $0.hasPrefix("not reloaded: other/app.toml: no such file in ")
                && $0.contains(", which HOSTED_CONFIG names. ")
        }
        try process.replace("other/app.toml", by: "text = \"Again\"")
        try await process.errors.wait(for: "reloaded: the settings are valid again")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }
}
