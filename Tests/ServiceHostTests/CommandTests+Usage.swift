import Foundation
import Testing

// What is a command, and what is not.
extension CommandTests {
    @Test("A command is only the first words, and is written as --help says")
    func usage() async throws {
        let commands =
            "settings check, settings get, settings explain, settings dump, settings template, settings schema"
        for words in [["settings"], ["settings", "chekc"], ["settings", "--json"]] {
            let written = words.filter { !$0.hasPrefix("-") }.joined(separator: " ")
            try await expect(
                words, 64, output: "", errors: "'\(written)' is not a command; expected one of: \(commands)")
        }
        for (options, names) in [
            (["--dot", "--json"], "--json and --dot"), (["--mermaid", "--dot"], "--mermaid and --dot"),
        ] {
            try await expect(
                ["services"] + options, 64, output: "",
                errors: "\(names) cannot be combined; expected services [--json|--mermaid|--dot] [--registered]")
        }
        for words in [["settings", "get"], ["settings", "get", "--json"]] {
            try await expect(
                words, 64, output: "",
                errors: "the name of a setting is missing; expected settings get NAME [--json]")
        }
        for (words, place, usage) in [
            (["--sender=a", "settings", "dump"], "2: 'settings dump'", "settings dump [--json]"),
            (["--server.port", "80", "settings", "get", "sender"], "3: 'settings get'", "settings get NAME [--json]"),
            (
                ["--check", "settings", "check"], "2: 'settings check'",
                "settings check [--without-secrets] [--json]"
            ),
            (["--set", "sender=a", "services"], "3: 'services'", "services [--json|--mermaid|--dot] [--registered]"),
            (["-v", "services", "--json"], "2: 'services'", "services [--json|--mermaid|--dot] [--registered]"),
        ] {
            try await expect(
                words, 64, output: "",
                errors:
                    "argument \(place) follows an option; a command comes first. Write: Notifier \(usage) [OPTION …]")
        }
        try await expect(
            ["settings", "get", "sender", "--json", "port"], 64, output: "",
            errors: """
                command line argument 5: this is not an option; expected --name=value. Put the program's own arguments \
                after --.
                Missing and unknown keys are checked when all sources can be loaded.
                """)
        // The first word may be meant as a command.
        for (word, remark) in [
            ("setings", "Argument 1 is not a command. Did you mean 'settings'?"),
            ("help", "Argument 1 is not a command; --help lists the commands."),
        ] {
            try await expect(
                [word], 64, output: "",
                errors: """
                    command line argument 1: this is not an option; expected --name=value. Put the program's own arguments \
                    after --.
                    Missing keys, unknown keys and services are checked when all sources can be loaded.
                    \(remark)
                    """)
        }
    }

    @Test(
        "An argument that no source reads stops the start, with a suggestion",
        arguments: [
            (["--chekc"], "command line --chekc: this is not an option of the service. Did you mean --check?"),
            (
                ["--port", "9000"],
                "command line --port: no source of the service reads this argument; expected --check, --help or "
                    + "--version. Put the program's own arguments after --."
            ),
            (
                ["setings", "check"],
                "command line argument 1: no source of the service reads this argument; expected --check, --help or "
                    + "--version. Put the program's own arguments after --.\n"
                    + "Argument 1 is not a command. Did you mean 'settings'?"
            ),
            (
                ["--check", "port=80"],
                "command line argument 2: no source of the service reads this argument; expected --check, --help or "
                    + "--version. Put the program's own arguments after --."
            ),
            (["-help"], "command line argument 1: this is not an option of the service. Did you mean --help?"),
            (
                ["--check", "settings", "check"],
                "argument 2: 'settings check' follows an option; a command comes first. Write: HostedService settings "
                    + "check [--without-secrets] [--json] [OPTION …]"
            ),
        ])
    func unread(arguments: [String], report: String) async throws {
        for scenario in ["no command line", "no command line, no settings"] {
            let process = try HostedProcess(scenario, arguments, files: [:])
            #expect(await process.status() == 64)
            #expect(process.output.text == "")
            #expect(process.errors.text == report)
        }
    }

    @Test("A misspelt option is refused, too, if the settings are read from the command line and nothing is declared")
    func misspeltOption() async throws {
        let process = try HostedProcess("command line, no settings", ["--chekc"], files: [:])
        #expect(await process.status() == 64)
        #expect(
            process.errors.text
                == "command line --chekc: this is not an option of the service. Did you mean --check? If "
                + "it is a setting, write --chekc=true.")
    }

    @Test(
        "An option with one dash is refused with the option that is meant, whatever reads the command line",
        arguments: [
            (["-check"], 1, "check"), (["-chek"], 1, "check"), (["-check", "-json"], 1, "check"),
            (["--check", "-json"], 2, "json"), (["--check", "-jsno"], 2, "json"), (["-version=1"], 1, "version"),
            (["-hlep"], 1, "help"), (["settings", "dump", "--port=80", "-json"], 4, "json"),
        ])
    func singleDash(arguments: [String], place: Int, meant: String) async throws {
        for scenario in ["command line", "command line, no settings"] {
            let process = try HostedProcess(scenario, arguments, files: [:])
            #expect(await process.status() == 64)
            #expect(process.output.text == "")
            #expect(
                process.errors.text
                    == "command line argument \(place): this is not an option of the service. Did you mean --\(meant)?")
        }
    }

    @Test(
        "An argument with one dash that is like no option is refused as any other argument",
        arguments: ["-x", "-", "-5", "-port=80", "-t0ps3cret"])
    func otherDash(argument: String) async throws {
        let process = try HostedProcess("command line", ["--check", argument], files: [:])
        #expect(await process.status() == 64)
        #expect(process.errors.text.hasPrefix("command line argument 2: this is not an option; expected --name=value."))
        #expect(!process.errors.text.contains("t0ps3cret"))
    }

    @Test(
        "A list of any sources understands the options and the commands, and needs no exceptions",
        arguments: [
            ["--check"], ["settings", "check"], ["services"], ["settings", "dump", "--json"], ["--", "--port", "9000"],
            ["--verbose", "9000", "serve"], ["--verbose=1", "-v"],
        ])
    func anyList(arguments: [String]) async throws {
        for scenario in ["no command line", "command line", "secret command line"] {
            let process = try HostedProcess(scenario, arguments, files: [:], profile: "test")
            #expect(await process.status() == 0, "\(scenario): \(process.errors.text)")
        }
    }

    @Test("A service with a command line of its own has no commands")
    func turnedOff() async throws {
        let process = try HostedProcess("own command line", ["settings", "check"])
        #expect(await process.status() == 0)
        #expect(process.errors.said == [])
        #expect(
            process.output.all.prefix(7) == [
                "own command: settings check", "setting    queue.pause", #"value      "2s" (default)"#,
                #"default    "2s""#, #"rule       a duration such as "1m30s" or "250ms""#,
                "summary    The pause between two tries",
                "restart    not needed",
            ])
        #expect(process.output.text.contains("\nqueue.pause = \"2s\" (default)\n# A line that begins"))
        #expect(process.output.text.contains("\n# token = …  (required, secret)\n"))
        #expect(process.output.text.contains(/\nPool: container, HostedService.swift:\d+, has an instance\n\[\n/))
        #expect(process.output.text.contains("\n        s0 [label=\"Pool\"]\n"))
    }
}
