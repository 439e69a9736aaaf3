import Foundation
import Testing

@Suite("The commands of a service", .timeLimit(.minutes(10)))
struct CommandTests {
    static let config = "sender = \"orders\"\n\n[mail]\nhost = \"mail.example.com\"\n"
    static let files = ["config.toml": config, "secrets/mail.password": "hunter2\n"]

    func expect(
        _ arguments: [String], _ status: Int32, output: String, errors: String = "",
        files: [String: String] = Self.files, variables: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let process = try HostedProcess("", arguments, files: files, program: "Notifier", variables: variables)
        #expect(await process.status() == status, sourceLocation: sourceLocation)
        #expect(
            process.output.all.map(\.timeless).joined(separator: "\n") == output, sourceLocation: sourceLocation)
        let expected = errors.replacing("FOLDER", with: process.folder.path)
        #expect(process.errors.text == expected, sourceLocation: sourceLocation)
    }

    // MARK: - check

    @Test("check loads and checks, and has the statuses of a start")
    func check() async throws {
        try await expect(["settings", "check"], 0, output: "The settings are valid.")
        try await expect(["settings", "check", "--json"], 0, output: #"{"problems": [], "warnings": []}"#)
        let wrong = Self.files.merging(["config.toml": "[mail]\nhost = 5\n[queue]\nlimt = 1"]) { $1 }
        try await expect(
            ["settings", "check"], 78, output: "",
            errors: """
                The configuration has 2 problems:
                  config.toml:2:8  'mail.host' is the integer 5; expected a string. Put it in quotes.
                  config.toml:4:1  'queue.limt' is not a key that is read. Did you mean 'queue.limit'?
                A service may read some of the unknown keys. Commands build no services; --check does, and knows all keys.
                """, files: wrong)
        try await expect(
            ["settings", "check", "--json", "--server.port=0"], 64,
            output: """
                {"problems": [
                  {"time": "", "level": "error", "text": "command line --server.port: 'server.port' is the text \\"0\\"; expected an \
                integer from 1 to 65535. Change the value.", "event": "invalid", "key": "server.port", "source": "command line --server.port"}
                ], "warnings": []}
                """)
    }

    @Test("check says if nothing is declared, because then it only loads the sources")
    func checkWithoutSettings() async throws {
        let process = try HostedProcess("command line, no settings", ["settings", "check"])
        #expect(await process.status() == 0)
        #expect(
            process.output.text
                == "The sources can be loaded. Nothing is declared, so no value was checked; --check also "
                + "checks what services read by name.")
    }

    @Test("check --without-secrets opens no secret source and accepts missing secrets, and judges all else")
    func withoutSecrets() async throws {
        let file = ["config.toml": Self.config]
        try await expect(
            ["settings", "check"], 78, output: "",
            errors: """
                secrets: no such directory FOLDER/secrets. Create it, or mount it there.
                Missing and unknown keys are checked when all sources can be loaded.
                """, files: file)
        try await expect(
            ["settings", "check", "--without-secrets"], 0, output: "The settings are valid.", files: file)
        let unreadable = file.merging(["secrets/sender": "x", "secrets/unknown": "x"]) { $1 }
        try await expect(
            ["settings", "check", "--without-secrets"], 0, output: "The settings are valid.", files: unreadable)
        let process = try HostedProcess(
            "", ["settings", "check", "--without-secrets"], files: ["config.toml": ""], program: "Notifier")
        #expect(await process.status() == 78)
        #expect(process.errors.all.count == 1)
        #expect(process.errors.text.hasPrefix("'mail.host' is missing; expected a string."))
        // A secret that a source has is judged.
        try await expect(
            ["settings", "check", "--without-secrets"], 78, output: "",
            errors: "config.toml:3:12: 'mail.password' is an integer that is secret; expected a string. "
                + "Put it in quotes.",
            files: ["config.toml": "[mail]\nhost = \"a\"\npassword = 5"])
    }

    // MARK: - get, explain, dump

    @Test("get prints the value in force, text as it is and all else as JSON")
    func get() async throws {
        try await expect(["settings", "get", "queue.pause", "--queue.pause=1s"], 0, output: "1s")
        try await expect(["settings", "get", "queue.pause", "--json"], 0, output: "\"2s\"")
        try await expect(
            ["settings", "get", "server.port"], 0, output: "81", variables: ["NOTIFIER_SERVER_PORT": "81"])
        try await expect(["settings", "get", "server.clients"], 0, output: "[]")
        try await expect(["settings", "get", "mail.password"], 0, output: "hunter2")
        try await expect(
            ["settings", "get", "mail"], 0,
            output: #"{"encrypted": true, "host": "mail.example.com", "password": "********", "replyTo": null}"#)
        try await expect(
            ["settings", "get", "mail", "--mail.host=https://a:hunter2@b"], 0,
            output: #"{"encrypted": true, "host": "https://a:********@b", "password": "********", "replyTo": null}"#)
        try await expect(["settings", "get", "mail.replyTo"], 0, output: "")
        try await expect(["settings", "get", "mail.replyTo", "--json"], 0, output: "null")
        try await expect(
            ["settings", "get", "queue.puase"], 64, output: "",
            errors: "'queue.puase' is not a key that is read. Did you mean 'queue.pause'?")
        try await expect(
            ["settings", "get", "password"], 64, output: "",
            errors: "'password' is not a key that is read. Did you mean 'mail.password'?")
    }

    @Test("get, explain and dump answer although settings are wrong, and print the problems after it")
    func answersWithProblems() async throws {
        let wrong = Self.files.merging(["config.toml": "[mail]\nhost = 5\n[queue]\nlimt = 1"]) { $1 }
        let problems = """
            The configuration has 2 problems:
              config.toml:2:8  'mail.host' is the integer 5; expected a string. Put it in quotes.
              config.toml:4:1  'queue.limt' is not a key that is read. Did you mean 'queue.limit'?
            A service may read some of the unknown keys. Commands build no services; --check does, and knows all keys.
            """
        try await expect(["settings", "get", "queue.pause"], 78, output: "2s", errors: problems, files: wrong)
        for name in ["mail.host", "mail", "queue"] {
            try await expect(["settings", "get", name], 78, output: "", errors: problems, files: wrong)
        }
        try await expect(
            ["settings", "get", "mail.hots"], 78, output: "",
            errors: "'mail.hots' is not a key that is read. Did you mean 'mail.host'?\n" + problems, files: wrong)
        try await expect(
            ["settings", "explain", "mail.host"], 78,
            output: """
                setting    mail.host
                value      5 (config.toml:2:8)
                default    none, a source must have a value
                rule       a string
                summary    The mail server
                restart    not needed
                """, errors: problems, files: wrong)
        let missing = ["config.toml": "", "secrets/mail.password": "hunter2"]
        try await expect(
            ["settings", "explain", "mail.host"], 78,
            output: """
                setting    mail.host
                value      none
                default    none, a source must have a value
                rule       a string
                summary    The mail server
                restart    not needed
                """,
            errors: "'mail.host' is missing; expected a string. Set it in config.toml, in secrets/mail.host, as "
                + "NOTIFIER_MAIL_HOST, or by --mail-host.", files: missing)
        // All problems are on the command line.
        let process = try HostedProcess(
            "", ["settings", "explain", "server.port", "--json", "--server-port=0"], files: Self.files,
            program: "Notifier")
        #expect(await process.status() == 64)
        #expect(process.output.all.contains(#"  "value": 0,"#))
        #expect(process.output.all.contains(#"  "rule": "an integer from 1 to 65535","#))
    }

    @Test("dump shows what can be loaded while a source cannot, and no secret, also not under a misspelt name")
    func dumpWithProblems() async throws {
        let sources = ["config.toml": "sender = \"orders\"\n[mail]\nhost = \"a\"\npasswrd = \"hunter2\""]
        let process = try HostedProcess(
            "", ["settings", "dump"], files: sources, program: "Notifier",
            variables: ["NOTIFIER_MAIL_PSSWORD": "hunter2", "NOTIFIER_MAILPASSWORT": "hunter2"])
        #expect(await process.status() == 78)
        #expect(
            process.output.all.filter { !$0.hasSuffix("(default)") } == [
                #"mail.host = "a" (config.toml:3:8)"#,
                "mail.passwrd = ******** (config.toml:4:11)",
                "mail_pssword = ******** (environment NOTIFIER_MAIL_PSSWORD)",
                "mailpasswort = ******** (environment NOTIFIER_MAILPASSWORT)",
                #"sender = "orders" (config.toml:1:10)"#,
            ])
        #expect(
            process.errors.text == """
                secrets: no such directory \(process.folder.path)/secrets. Create it, or mount it there.
                Missing and unknown keys are checked when all sources can be loaded.
                """)
        // A text in place of a table with secrets, a secret in a placeholder, and one that is too short for its rule.
        let hidden = try HostedProcess(
            "", ["settings", "dump", "--json"],
            files: [
                "config.toml": "mail = \"hunter2\"\nsender = \"${mail.password}\"",
                "secrets/mail.password": "hunter2",
            ], program: "Notifier", variables: ["NOTIFIER_SERVER_PORT": "many"])
        #expect(await hidden.status() == 78)
        #expect(hidden.output.text.contains(#""server.port": {"value": "many""#))
        #expect(!hidden.output.text.contains("hunter2") && !hidden.errors.text.contains("hunter2"))
    }

    @Test("explain prints a secret masked, and a table with all its settings")
    func explain() async throws {
        try await expect(
            ["settings", "explain", "mail.password"], 0,
            output: """
                setting    mail.password
                value      ******** (secrets/mail.password)
                default    none, a source must have a value
                rule       a string
                summary    Signs in to the mail server
                restart    not needed
                """)
        try await expect(
            ["settings", "explain", "mail"], 0,
            output: """
                setting    mail
                value      {"encrypted": true, "host": "mail.example.com", "password": "********", "replyTo": null} \
                (several sources)
                default    {"encrypted": true, "host": null, "password": null, "replyTo": null}
                rule       a table of settings
                restart    not needed
                """)
        try await expect(
            ["settings", "explain", "queue"], 0,
            output: """
                setting    queue
                value      {"limit": 1000, "pause": "2s", "retries": 5} (default)
                default    {"limit": 1000, "pause": "2s", "retries": 5}
                rule       a table of settings
                restart    not needed
                """)
        try await expect(
            ["settings", "explain", "mail.password", "--json"], 0,
            output: """
                {
                  "name": "mail.password",
                  "value": "********",
                  "origin": "secrets/mail.password",
                  "overrides": [],
                  "default": null,
                  "rule": "a string",
                  "summary": "Signs in to the mail server",
                  "required": true,
                  "needsRestart": false
                }
                """)
    }

    @Test("dump --json has the values and places of all settings, with secrets masked")
    func dump() async throws {
        let process = try HostedProcess("", ["settings", "dump", "--json"], files: Self.files, program: "Notifier")
        #expect(await process.status() == 0)
        let all = try JSONDecoder().decode([String: Place].self, from: Data(process.output.text.utf8))
        #expect(all.count == 12)
        #expect(all["sender"]?.origin == "config.toml:1:10" && all["queue.limit"]?.origin == "default")
        #expect(
            process.output.text.contains(#""mail.password": {"value": "********", "origin": "secrets/mail.password"}"#))
    }

    private struct Place: Decodable { let origin: String }

    @Test("A command and a check keep nothing of a source for later starts")
    func keeping() async throws {
        for (arguments, line) in [
            (["settings", "get", "text"], "not kept"), (["--check"], #"text = "not kept" (Keeper)"#), ([], "kept"),
        ] {
            let process = try HostedProcess("body returns, keeps", arguments)
            #expect(await process.status() == 0)
            #expect(process.output.all.contains(line), "\(process.output.text)")
        }
    }

    @Test("A misspelt option of a command, or one with a value, is answered with the option")
    func misspeltOptions() async throws {
        for (arguments, end) in [
            (["settings", "dump", "--jsn"], "Did you mean --json?"),
            (["settings", "get", "sender", "--jsno"], "Did you mean --json?"),
            (["settings", "check", "--without-secret"], "Did you mean --without-secrets?"),
            (["services", "--mermiad"], "Did you mean --mermaid?"), (["--chek"], "Did you mean --check?"),
        ] {
            let process = try HostedProcess("", arguments, files: Self.files, program: "Notifier")
            #expect(await process.status() == 64)
            #expect(process.errors.text.contains(end), "\(process.errors.text)")
        }
        let value = try HostedProcess("", ["settings", "dump", "--json=true"], files: Self.files, program: "Notifier")
        #expect(await value.status() == 64)
        #expect(value.errors.text == "--json takes no value; expected settings dump [--json]")
    }

    // MARK: - services

    /// The place of a registration in the file of the program.
    private func place(of text: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "HostedService/HostedService.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return "HostedService.swift:\(try #require(lines.firstIndex { $0.contains(text) }) + 1)"
    }

    @Test(
        "services starts the service, prints what is registered and taken, and closes it. Nothing else is on its output"
    )
    func services() async throws {
        let process = try HostedProcess("", ["services", "--port=80"])
        #expect(await process.status() == 0)
        #expect(process.errors.all == ["closing", "closed"])
        let (pool, server) = (try place(of: "register(Pool.self)"), try place(of: "register(Server.self)"))
        let report = try place(of: "register(Report.self)")
        #expect(
            process.output.text == """
                Pool: container, \(pool), has an instance
                Report: graph, \(report)
                Server: container, \(server), has an instance; depends on Pool

                Not built, so it is not known what they depend on: Report
                """)
        let dot = try HostedProcess("", ["services", "--dot"])
        #expect(await dot.status() == 0)
        #expect(
            dot.output.text == """
                digraph services {
                    rankdir=LR
                    node [shape=box]
                    label="Dotted services have no instance, so their arrows are not known."
                    subgraph cluster0 {
                        label="container"
                        s0 [label="Pool"]
                        s1 [label="Server"]
                    }
                    subgraph cluster1 {
                        label="graph"
                        s2 [label="Report" style=dotted]
                    }
                    s1 -> s0
                }
                """)
        let json = try HostedProcess("", ["services", "--json"])
        #expect(await json.status() == 0)
        let all = try JSONDecoder().decode([Registered].self, from: Data(json.output.text.utf8))
        #expect(all.map(\.service) == ["Pool", "Report", "Server"])
        #expect(all.map { $0.dependencies?.map(\.service) } == [[], nil, ["Pool"]])
    }

    private struct Registered: Decodable {
        let service: String
        let dependencies: [Dependency]?
        struct Dependency: Decodable { let service: String }
    }

    @Test("services --registered builds nothing and loads no source")
    func registered() async throws {
        let process = try HostedProcess("start fails", ["services", "--registered"], files: [:])
        #expect(await process.status() == 0)
        #expect(process.errors.text == "")
        #expect(
            process.output.all == [
                "Pool: container, \(try place(of: "register(Pool.self)"))",
                "Report: graph, \(try place(of: "register(Report.self)"))",
                "Server: container, \(try place(of: "register(Server.self)"))",
            ])
        let drawn = try HostedProcess("", ["services", "--registered", "--mermaid"], files: [:])
        #expect(await drawn.status() == 0)
        #expect(drawn.output.all.last == "    style note fill:none,stroke:none")
    }

    @Test("services has the statuses of a start that fails, and then no output")
    func failedServices() async throws {
        let process = try HostedProcess("start fails", ["services", "--json"])
        #expect(await process.status() == 69)
        #expect(process.output.text == "")
        #expect(
            process.errors.all == ["Server: the factory of Server threw: the network is down", "closing", "closed"])
        let wrong = try HostedProcess("", ["services"], files: ["config.toml": "port = true"])
        #expect(await wrong.status() == 78)
        #expect(wrong.output.text == "")
        let interrupted = try HostedProcess("start waits", ["services"])
        try await interrupted.errors.wait(for: "starting")
        interrupted.send(SIGTERM)
        #expect(await interrupted.status() == 128 + SIGTERM)
        #expect(interrupted.output.text == "")
    }
}
