import Foundation
import ServiceHost
import Testing

/// What an operator sees who has no access to the code.
@Suite("Operating a service", .timeLimit(.minutes(10)))
struct OperationTests {
    private func end(
        _ process: HostedProcess, _ status: Int32, errors: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        #expect(await process.status() == status, sourceLocation: sourceLocation)
        #expect(process.errors.said == errors, sourceLocation: sourceLocation)
    }

    // MARK: - The command line

    @Test(
        "An option that the process answers takes no value, and starts nothing",
        arguments: ["--check=1", "--check=false", "--check=", "--help=1", "--version=", "--version=2"])
    func valueOfOption(argument: String) async throws {
        for others in [[], ["--port=1"], ["settings", "dump"]] {
            let process = try HostedProcess("", others + [argument])
            let name = argument.dropFirst(2).prefix { $0 != "=" }
            await end(
                process, 64,
                errors: ["--\(name) takes no value. Write --\(name) alone, or set '\(name)' in another source."])
            #expect(process.output.all == [])
        }
    }

    @Test("Only exactly these names are options, and a word after --check is not its value")
    func otherNames() async throws {
        let unknown = try HostedProcess("", ["--version.x=1"])
        await end(
            unknown, 64,
            errors: [
                "command line --version.x: 'version.x' is neither declared nor read by a service. Check its spelling, or remove it. The developer can declare it, or allow it by unknownKeys: .ignored."
            ])
        let word = try HostedProcess("", ["--check", "false"])
        #expect(await word.status() == 64)
        #expect(word.errors.all.first?.hasPrefix("command line argument 2: this is not an option") == true)
        let setting = try HostedProcess("declares version", ["--check", "--set", "version=3"])
        await end(setting, 0)
        #expect(setting.output.all.first == #"version = "3" (command line --set version)"#)
    }

    @Test("In files and variables these names are settings like any other, and help and advice offer no argument")
    func settingOfTheName() async throws {
        let process = try HostedProcess("declares version", ["--check"], files: ["config.toml": "version = \"2\""])
        await end(process, 0)
        #expect(process.output.all.first == #"version = "2" (config.toml:1:11)"#)
        let help = try HostedProcess("declares version", ["--help"])
        await end(help, 0)
        #expect(
            help.output.all.filter { $0.contains("--version") } == [
                "  --version               Print the version, and exit."
            ])
        let missing = try HostedProcess("declares version", [])
        await end(
            missing, 78,
            errors: [
                "'version' is missing; expected a string. Set it in config.toml, as HOSTED_VERSION, or in UnwatchedFile."
            ])
    }

    @Test("What is wrong on the command line has the status 64, also if something else is wrong")
    func statuses() async throws {
        for arguments in [
            ["--port=many"], ["--prot=1"], ["prot"], ["--=1"], ["--set"], ["settings", "check", "--port=x"],
        ] {
            let process = try HostedProcess("", arguments)
            #expect(await process.status() == 64, "\(arguments)")
        }
    }

    @Test(
        "The status is that of the problem that only a person can correct, and an unknown key decides nothing that a restart may",
        arguments: [
            (["--port=many"], "text = 5", 64), (["--prot=1"], "", 64), (["--prot=1"], "text = 5", 64),
            (["--zzz=1"], "", 69), (["--zzz=1"], "text = 5", 78), ([], "zzz = 1", 69), ([], "prot = 1", 78),
            (["--zzz=1", "--prot=1"], "", 64), (["settings", "dump", "--zzz=1"], "", 64),
            (["settings", "dump", "--zzz=1"], "prot = 1", 64), (["--check", "--prot=1"], "", 64),
            (["--check", "--zzz=1"], "", 69),
        ] as [([String], String, Int32)])
    func statusOfSeveral(arguments: [String], file: String, status: Int32) async throws {
        let process = try HostedProcess("start fails", arguments, files: ["config.toml": file])
        #expect(await process.status() == status)
        #expect(process.errors.text.contains("zzz") == (arguments.joined() + file).contains("zzz"))
    }

    @Test("An answer that cannot be written has its own status, and the problems are printed nevertheless")
    func problemsOfUnwritten() async throws {
        for arguments in [["settings", "dump"], ["settings", "explain", "port"]] {
            let process = try HostedProcess("", arguments + ["--port=many"], writesTo: "/dev/full")
            #expect(await process.status() == 74)
            #expect(process.errors.text.contains("'port' is the text \"many\""))
        }
    }

    // MARK: - Answers

    @Test(
        "An answer that cannot be written is an error",
        arguments: [
            ["settings", "dump"], ["settings", "dump", "--json"], ["settings", "get", "text"],
            ["settings", "explain", "text"], ["settings", "check"], ["settings", "check", "--json"],
            ["settings", "template"], ["settings", "schema"], ["services"], ["services", "--registered"], ["--help"],
            ["--version"], ["--check"],
        ])
    func fullDisk(arguments: [String]) async throws {
        let process = try HostedProcess("", arguments, writesTo: "/dev/full")
        #expect(await process.status() == 74)
        #expect(
            process.errors.all.filter { !$0.hasPrefix("clos") } == [
                "the standard output cannot be written: No space left on device"
            ])
    }

    @Test(
        "An answer to a standard output that is closed is an error",
        arguments: [
            ["settings", "dump"], ["settings", "get", "text"], ["settings", "template"], ["services"], ["--help"],
            ["--version"], ["--check"],
        ])
    func closedOutput(arguments: [String]) async throws {
        let process = try HostedProcess("", arguments, closes: [1])
        #expect(await process.status() == 74)
        #expect(
            process.errors.all.filter { !$0.hasPrefix("clos") } == [
                "the standard output cannot be written: it is closed"
            ])
    }

    @Test(
        "An answer that a signal interrupts has the status 128 and its number, after everything was closed",
        arguments: [
            (["--check"], SIGTERM), (["--check"], SIGINT), (["--check", "--json"], SIGTERM), (["services"], SIGTERM),
            (["services"], SIGINT),
        ])
    func interrupted(arguments: [String], signal: Int32) async throws {
        let process = try HostedProcess("start waits", arguments)
        let lines = arguments == ["--check"] ? process.output : process.errors
        try await lines.wait(for: "starting")
        process.send(signal)
        #expect(await process.status() == 128 + signal)
        #expect(lines.others.filter { !$0.hasPrefix("The check has no answer") }.suffix(2) == ["closing", "closed"])
        if arguments == ["--check"] {
            #expect(!process.output.text.contains("valid"))
        } else {
            #expect(process.output.text.isEmpty)
        }
    }

    @Test("A signal while the rest of the services is checked does not end with 0, and no delay is taken")
    func interruptedVerification() async throws {
        let process = try HostedProcess("serves on, report waits", ["--check"])
        try await process.output.wait(for: "reporting")
        process.send(SIGTERM)
        try await process.errors.wait(for: HostedProcess.stopping(SIGTERM))
        try process.replace("go", by: "")
        #expect(await process.status() == 128 + SIGTERM)
    }

    @Test("A problem that was found before the signal keeps its status")
    func problemBeforeSignal() async throws {
        let process = try HostedProcess("slow close, start fails", ["--check"])
        try await process.output.wait(for: "closing")
        process.send(SIGTERM)
        try await process.errors.wait(for: HostedProcess.stopping(SIGTERM))
        try process.replace("go", by: "")
        #expect(await process.status() == 69)
    }

    @Test("settings check says what a start would warn of")
    func warnings() async throws {
        let files = CommandTests.files, secret = "secrets/mail.password"
        let text = "every user of this machine can write this file. Remove that permission (chmod o-w)."
        for (arguments, output) in [
            (["settings", "check"], "The settings are valid."),
            (
                ["settings", "check", "--json"],
                """
                {"problems": [], "warnings": [
                  {"time": "", "level": "warning", "text": "\(secret): \(text)", "event": "warning", "source": "\(secret)"}
                ]}
                """
            ),
        ] {
            let process = try HostedProcess(
                "", arguments, files: files, program: "Notifier", permissions: [secret: 0o666])
            #expect(await process.status() == 0)
            #expect(process.output.all.map(\.timeless).joined(separator: "\n") == output)
            #expect(process.errors.all == (arguments.count == 2 ? ["warning: \(secret): \(text)"] : []))
        }
    }

    @Test("--check warns of what a start would warn of")
    func warningsOfCheck() async throws {
        let secret = "secrets/mail.password"
        let process = try HostedProcess(
            "", ["--check"], files: CommandTests.files, program: "Notifier", permissions: [secret: 0o666])
        #expect(await process.status() == 0)
        #expect(
            process.errors.all == [
                "warning: \(secret): every user of this machine can write this file. Remove that permission (chmod o-w)."
            ])
    }

    @Test("A missing secret is to be set where secrets are, in the spelling of the help")
    func missingSecret() async throws {
        let file = ["config.toml": "[mail]\nhost = \"a\"", "secrets/other": ""]
        let process = try HostedProcess("", ["settings", "get", "sender"], files: file, program: "Notifier")
        #expect(await process.status() == 78)
        #expect(
            process.errors.all.contains {
                $0.contains(
                    "'mail.password' is missing; expected a string. Set it in secrets/mail.password or as "
                        + "NOTIFIER_MAIL_PASSWORD.")
            }, "\(process.errors.text)")
    }

    // MARK: - Asking the process

    private static let dumped = [
        "config.toml": """
        text = "a"
        password = "hunter2"
        apiToken = "hunter4"
        url = "http://user:hunter6@localhost"
        [[hosts]]
        name = "one\\n"
        passwd = "hunter5"
        """
    ]

    @Test("A signal that the service takes writes its state as lines of JSON, without secrets, in text and in JSON")
    func dump() async throws {
        for scenario in ["dumps", "logs JSON, dumps"] {
            let process = try HostedProcess(scenario, files: Self.dumped)
            let lines = scenario == "dumps" ? process.errors : process.output
            try await process.output.wait(for: "connected")
            try process.replace("outage", by: "")
            try process.replace("config.toml", by: Self.dumped["config.toml"]?.replacing("\"a\"", with: "\"b\""))
            let failure = try await lines.wait { $0.contains("the former instance stays") }
            if scenario != "dumps" {
                let event = try JSONDecoder().decode([String: String].self, from: Data(failure.utf8))
                #expect((event["service"], event["changed"], event["nextTry"]) == ("Client", "text", "1000.0"))
                #expect(event["cause"] == "Client: the factory of Client threw: no connection")
            }
            process.send(SIGUSR1)
            var parts: [String: Any] = [:]
            for name in ["status", "values", "outdatedServices"] {
                let line = try await lines.wait { $0.contains("\"\(name)\": ") && $0.hasPrefix("{") }
                let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(scenario == "dumps" ? object.count == 1 : object["event"] as? String == "dump")
                parts[name] = object[name]
            }
            let status = try #require(parts["status"] as? [String: Any])
            #expect(status["phase"] as? String == "ready")
            let values = try #require(parts["values"] as? [String: [String: Any]])
            #expect(values["text"]?["value"] as? String == "b")
            #expect(values["apiToken"]?["value"] as? String == "********")
            let outdated = try #require(parts["outdatedServices"] as? [[String: Any]])
            #expect(outdated.map { $0["service"] as? String } == ["Client"])
            #expect(outdated.first?["failures"] as? Int == 1)
            #expect((outdated.first?["failure"] as? String)?.contains("no connection") == true)
            process.send(SIGTERM)
            #expect(await process.status() == 0)
            for line in process.output.all + process.errors.all {
                #expect(!line.contains("hunter"), "\(line)")
                if line.hasPrefix("{") { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
    }

    @Test("Values under names that are usual for secrets are masked in a dump, although nobody has declared them")
    func undeclaredSecrets() throws {
        let store = PropertyStore()
        let text = "api.token = 'hunter1'\nhosts = [{ name = 'one', passwd = 'hunter2' }]\nport = 80"
        try store.apply(TomlPropertyLoader(string: text, name: "c.toml"))
        let values = store.allValues.carefulJson
        #expect(!values.contains("hunter"), "\(values)")
        #expect(values.contains(#"[{"name": "one", "passwd": "********"}]"#) && values.contains(": 80,"), "\(values)")
        #expect(store.allValues.json.contains("hunter1"))
    }

    @Test("A signal that the service was not told to take ends it, as it ends any process")
    func noDump() async throws {
        let process = try HostedProcess("")
        try await process.output.wait(for: "serving")
        process.send(SIGUSR1)
        #expect(await process.status() == -SIGUSR1)
    }

    @Test("A start can be asked what it waits for")
    func dumpOfStart() async throws {
        let process = try HostedProcess("start waits, dumps")
        try await process.output.wait(for: "starting")
        process.send(SIGUSR1)
        let line = try await process.errors.wait { $0.hasPrefix("{\"status\": ") }
        #expect(line.contains(#""phase": "starting""#) && line.contains(#""building": [{"service": "Server", "#))
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    // MARK: - Stopping

    @Test("A closing that takes long is named", arguments: [SIGTERM, SIGINT])
    func slowClose(signal: Int32) async throws {
        let process = try HostedProcess("slow close")
        try await process.output.wait(for: "serving")
        process.send(signal)
        try await process.errors.wait { $0.contains(/^still stopping: closing Pool \d+\.\d+ s$/) }
        try process.replace("go", by: "")
        #expect(await process.status() == 0)
        #expect(process.errors.all.contains(HostedProcess.stopping(signal)))
    }

    @Test("A signal during the closing has no delay, and the closing is still named")
    func signalInClosing() async throws {
        let process = try HostedProcess("slow close, body returns")
        try await process.errors.wait { $0.hasPrefix("still stopping: closing Pool ") }
        process.send(SIGTERM)
        try await process.errors.wait(for: HostedProcess.stopping(SIGTERM))
        try await process.errors.wait { $0.hasPrefix("still stopping: closing Pool ") }
        try process.replace("go", by: "")
        #expect(await process.status() == 0)
    }

    @Test("A construction that the stop waits for is named as one, and not as a closing")
    func slowReplacementAtStop() async throws {
        let process = try HostedProcess("slow follower")
        try await process.output.wait(for: "connected")
        try process.replace("config.toml", by: "text = \"slow\"")
        try await process.errors.wait { $0.hasPrefix("still replacing Client ") }
        process.send(SIGTERM)
        try await process.errors.wait { $0.contains(/^still stopping: building Client \d+\.\d+ s$/) }
        try process.replace("go", by: "")
        #expect(await process.status() == 0)
        #expect(!process.errors.all.contains { $0.hasPrefix("still stopping: closing Client") })
    }

    @Test("A service that does not end when it is told to is named")
    func slowBody() async throws {
        let process = try HostedProcess("slow body")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        try await process.errors.wait { $0.contains(/^still stopping: the service itself \d+\.\d+ s$/) }
        try process.replace("go", by: "")
        #expect(await process.status() == 0)
    }

    @Test("The delay of a stop is in its line")
    func delay() async throws {
        let process = try HostedProcess("serves on, and is cancelled")
        try await process.output.wait(for: "ready")
        process.send(SIGTERM)
        await end(process, 0, errors: [HostedProcess.stopping(SIGTERM, "0.1 seconds")])
    }
}
