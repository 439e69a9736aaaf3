import Foundation
import Testing

@Suite("The options of a service", .timeLimit(.minutes(10)))
struct OptionTests {
    @Test("--help lists the settings and the options, whatever the configuration is", arguments: ["--help", "-h"])
    func help(option: String) async throws {
        let process = try HostedProcess("", [option, "--port=many"], files: [:])
        #expect(await process.status() == 0)
        #expect(process.errors.text == "")
        #expect(
            process.output.text == """
                usage: HostedService [OPTION …]
                       HostedService COMMAND [OPTION …]

                  settings check [--without-secrets] [--json]
                                          Load the sources anew, and check the settings. Build no service.
                  settings get NAME [--json]
                                          Load the sources anew, and print the value of a setting.
                  settings explain NAME [--json]
                                          Load the sources anew, and print a setting, what it overrides, and its rule.
                  settings dump [--json]
                                          Load the sources anew, and print all values with their places.
                  settings template
                                          Print a TOML file with all settings and their defaults.
                  settings schema
                                          Print the JSON Schema of the settings.
                  services [--json|--mermaid|--dot] [--registered]
                                          Build the services, and print or draw what they depend on.

                Values come from these sources. A later one overrides those before it.
                  config.toml
                  the variables HOSTED_…
                  the options below
                  UnwatchedFile
                HOSTED_PROFILE names a profile, whose file is read after the file.
                A changed file is used without a restart, and SIGHUP loads all sources again.

                  --password <string>     The password. (secret) [env: HOSTED_PASSWORD]
                  --port <integer>        Where clients connect (needs a restart). An integer
                                          from 0 to 65535. (default: 0) [env: HOSTED_PORT]
                  --text <string>         What the service says. (default: "Hello") [env:
                                          HOSTED_TEXT]

                  --check [--json]        Check the configuration, build all services, and exit.
                  --help                  Print this help, and exit.
                  --version               Print the version, and exit.
                  --log-format <text|detailed|json>
                                          How lines are written. (default: text) [env: HOSTED_LOG_FORMAT]

                Exit status: 0 ended or stopped, 64 wrong command line, 69 something is not
                available, 70 something did not end in time, 74 an answer could not be written,
                78 wrong configuration, 128 + n ended by the signal n. If several apply, it is
                the first of 74, 64, 78, 69 and 70.
                """)
    }

    @Test("--help names the signal at which the service writes its state, if it takes one")
    func signalInHelp() async throws {
        for (scenario, expected) in [("dumps", ["SIGUSR1 writes the state of the service to its log."]), ("", [])] {
            let process = try HostedProcess(scenario, ["--help"])
            #expect(await process.status() == 0)
            #expect(process.output.all.filter { $0.contains("SIGUSR") } == expected)
            #expect(process.output.text.contains(expected.isEmpty ? "again.\n\n  --p" : "again.\nSIGUSR1"))
            #expect(process.output.text.contains("\n\n  --password"))
        }
    }

    @Test("--check --json has the problems and the warnings as events, and the values")
    func checkAsJSON() async throws {
        func object(_ process: HostedProcess) throws -> [String: Any] {
            let object = try JSONSerialization.jsonObject(with: Data(process.output.text.utf8))
            return try #require(object as? [String: Any])
        }
        let good = try HostedProcess("", ["--check", "--json"], files: ["config.toml": "password = \"hunter2\""])
        #expect(await good.status() == 0)
        #expect(good.errors.all == ["closing", "closed"])
        let answer = try object(good)
        #expect((answer["problems"] as? [Any])?.isEmpty == true && (answer["warnings"] as? [Any])?.isEmpty == true)
        let values = try #require(answer["values"] as? [String: [String: Any]])
        #expect(values["password"]?["value"] as? String == "********")
        #expect(values["port"]?["origin"] as? String == "default")
        for (scenario, files, status, event) in [
            ("", ["config.toml": "text = 5\nport = \"x\""], 78, "invalid"), ("start fails", [:], 69, "invalid"),
            ("report fails", [:], 69, "invalid"), ("close throws", [:], 70, "failed"),
        ] as [(String, [String: String], Int32, String)] {
            let bad = try HostedProcess(
                scenario, ["--json", "--check"], files: files.isEmpty ? ["config.toml": ""] : files)
            #expect(await bad.status() == status, "\(scenario)")
            let problems = try #require(try object(bad)["problems"] as? [[String: String]])
            #expect(problems.count >= (files.isEmpty ? 1 : 2) && problems.allSatisfy { $0["event"] == event })
        }
        let full = try HostedProcess("", ["--check", "--json"], writesTo: "/dev/full")
        #expect(await full.status() == 74)
        // Without --check, it is the name of a setting.
        let other = try HostedProcess("", ["--json"])
        #expect(await other.status() == 64)
    }

    @Test("--version prints the name and the version of the program")
    func version() async throws {
        let process = try HostedProcess("", ["--version"], files: [:])
        #expect(await process.status() == 0)
        #expect(process.output.all == ["HostedService 1.2.3"])
    }

    @Test("--check prints the properties with their places, and closes what it has built")
    func goodCheck() async throws {
        let files = ["config.toml": "text = \"Good morning\"\npassword = \"hunter2\""]
        let process = try HostedProcess("", ["--check", "--port=80"], files: files)
        #expect(await process.status() == 0)
        #expect(process.errors.text == "")
        #expect(
            process.output.all == [
                #"password = ******** (config.toml:2:12)"#, #"port = "80" (command line --port)"#,
                #"text = "Good morning" (config.toml:1:8)"#,
                "The configuration is valid, and all services can be built.", "closing", "closed",
            ])
    }

    @Test("A source that must be awaited overrides the file, and secrets and arguments override it")
    func remote() async throws {
        let files = ["config.toml": "text = \"Good morning\"", "secrets/password": "hunter2"]
        let process = try HostedProcess("remote and secrets", ["--check", "--port=80"], files: files)
        #expect(await process.status() == 0)
        #expect(
            process.output.all.prefix(3) == [
                "password = ******** (secrets/password)", #"port = "80" (command line --port)"#,
                #"text = "Good night" (Remote)"#,
            ])
    }

    @Test(
        "--check reports what is wrong, with the status of a start",
        arguments: [
            ("", "text = 5", 78, "config.toml:1:8: 'text' is the integer 5; expected a string. Put it in quotes."),
            ("start fails", "", 69, "Server: the factory of Server threw: the network is down"),
            // A start would not build it.
            ("report fails", "", 69, "Report: the factory of Report threw: no paper"),
        ])
    func badCheck(scenario: String, file: String, status: Int32, report: String) async throws {
        let process = try HostedProcess(scenario, ["--check"], files: ["config.toml": file])
        #expect(await process.status() == status)
        #expect(process.errors.text == report)
    }

    @Test("An argument that is no option stops the start")
    func misspelt() async throws {
        let process = try HostedProcess("", ["port=80"])
        #expect(await process.status() == 64)
        #expect(
            process.errors.text == """
                command line argument 1: this is not an option; expected --name=value. \
                Put the program's own arguments after --.
                Missing keys, unknown keys and services are checked when all sources can be loaded.
                Argument 1 is not a command; --help lists the commands.
                """)
    }

    @Test("An option after -- belongs to the program")
    func programArguments() async throws {
        let process = try HostedProcess("body returns", ["--", "--help"])
        #expect(await process.status() == 0)
        #expect(process.output.all.first == "serving")
    }
}
