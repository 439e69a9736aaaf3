import Foundation
import PropertyLoaders
import TestSupport
import Testing

@Suite("The tool loads what a service loads")
struct LoadingTests {
    /// One choice of sources.
    struct Sources: CustomTestStringConvertible {
        let file: String
        let profile: String?
        let dotenv: Bool
        let environment: Bool
        let settings: [String]

        static let all = ["config.toml", "config.json", "service.env"].flatMap { file in
            [nil, "production"].flatMap { profile in
                [false, true].flatMap { dotenv in
                    [false, true].flatMap { environment in
                        [[], ["api.baseURL=http://set", "extra.one=1"]].map { settings in
                            Sources(
                                file: file, profile: profile, dotenv: dotenv, environment: environment,
                                settings: settings)
                        }
                    }
                }
            }
        }

        var testDescription: String { words.joined(separator: " ") }

        var words: [String] {
            var words = [file]
            if let profile { words += ["--profile", profile] }
            if dotenv { words += ["--dotenv", "local.env"] }
            if environment { words += ["--env", "TOOLTEST"] }
            return words + settings.flatMap { ["--set", $0] }
        }

        /// The loaders that a service uses for the same sources.
        func sources(in folder: URL) -> PropertySources {
            let folder = URL(filePath: folder.path, directoryHint: .isDirectory)
            var sources = PropertySources.profileFiles(url: URL(filePath: file, relativeTo: folder), profile: profile)
            let prefix = environment ? "TOOLTEST" : ""
            if dotenv {
                let url = URL(filePath: "local.env", relativeTo: folder)
                sources = sources + [DotEnvPropertyLoader(url: url, prefix: prefix)]
            }
            if environment {
                sources = sources + [EnvironmentPropertyLoader(prefix: prefix, environment: ToolRun.environment)]
            }
            if settings.isEmpty { return sources }
            return sources + [CommandLinePropertyLoader(arguments: settings.flatMap { ["--set", $0] })]
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "config.toml": "greeting = \"hi\"\n[api]\nbaseURL = \"http://a\"\ntimeout = 30\nretries = [1, 2]\n",
            "config.production.toml": "[api]\nbaseURL = \"http://p\"\nretries = [3]\n",
            "config.json": #"{"api": {"baseURL": "http://a", "timeout": 30, "deep": {"a": 1, "b": null}}, "x": 1.5}"#,
            "config.production.json": #"{"api": {"baseURL": "http://p", "deep": {"b": 2}}}"#,
            "service.env": "API__BASE_URL=http://a\nAPI__TIMEOUT=30\n",
            "service.production.env": "API__BASE_URL=http://p\n",
            "local.env": "API__TIMEOUT=6\nTOOLTEST_API__TIMEOUT=8\nTOOLTEST_LEVEL=debug\n",
            "place.toml": "host = \"h\"\nurl = \"http://${host}:${env:TOOLTEST_API__TIMEOUT}/\"\n",
            "other.json": #"{"api": {"timeout": 1}}"#,
            "key": "k",
        ])
    }

    private func run(_ words: String..., input: String = "") async throws -> ToolRun {
        try await ToolRun(words, input: input, in: folder.url)
    }

    @Test("With the same sources, every value and every origin is that of standardSources")
    func standardSources() async throws {
        #expect(Sources.all.count == 48)
        // Of three formats and four choices, each fifth combination has every pair of choices.
        for (index, sources) in Sources.all.enumerated() where LongRun.isRequested || index.isMultiple(of: 5) {
            let store = PropertyStore()
            try store.apply(sources.sources(in: folder.url))
            let run = try await ToolRun(["dump", "--json"] + sources.words, in: folder.url)
            let lines = store.entries.map { entry in
                let line: PropertyValue = ["value": entry.node.value, "origin": .string("\(entry.node.origin)")]
                return "  \(JsonString.quoted(entry.name)): \(JsonText.text(PropertyNode(line)))"
            }
            #expect(!lines.isEmpty)
            #expect(run.output == "{\n\(lines.joined(separator: ",\n"))\n}\n", "\(sources.testDescription)")
            #expect(run.status == 0)
        }
    }

    @Test("A missing file of a profile is an error, and so is a name that leads to another folder")
    func missingProfile() async throws {
        let missing = try await run("get", "x", "config.json", "--profile", "staging")
        #expect(missing.status == 1)
        #expect(
            missing.errors == """
                config.staging.json: error: no such file in \(folder.url.path), which the profile 'staging' needs. Create it, or correct the \
                name of the profile.\n
                """)
        let outside = try await run("dump", "config.json", "--profile", "../x")
        #expect(outside.status == 1)
        #expect(outside.errors.contains("'../x' is not a valid name of a profile"))
        for words in [["--set", "a=1"], ["-", "--format", "json"], ["."]] {
            #expect(try await ToolRun(["dump", "--profile", "p"] + words, in: folder.url).status == 2)
        }
        #expect(try await run("dump", "--profile=", "config.json").status == 2)
    }

    @Test("--merge sets the rule of all files; without it, the formats decide")
    func merge() async throws {
        #expect(try await run("get", "api.baseURL", "config.json", "other.json").status == 1)
        #expect(
            try await run("get", "api.baseURL", "config.json", "other.json", "--merge", "deep").output == "http://a\n")
        #expect(
            try await run("get", "api", "config.toml", "other.json", "--merge=first-level").output
                == "{\"timeout\": 1}\n")
        #expect(
            try await run("get", "api.baseURL", "config.json", "--profile", "production", "--merge", "first-level")
                .output == "http://p\n")
        let wrong = try await run("dump", "config.json", "--merge", "shallow")
        #expect(wrong.status == 2)
        #expect(
            wrong.errors.hasPrefix(
                "properties: --merge RULE: 'shallow' is not valid; expected one of deep, first-level\n"))
    }

    @Test("--placeholders replaces names, variables and files")
    func placeholders() async throws {
        let path = folder.url.appendingPathComponent("key").path
        #expect(
            try await run("get", "url", "place.toml").output == "http://${host}:${env:TOOLTEST_API__TIMEOUT}/\n")
        #expect(try await run("get", "url", "place.toml", "--placeholders").output == "http://h:7/\n")
        #expect(try await run("get", "k", "--set", "k=${file:\(path)}", "--placeholders").output == "k\n")
        #expect(try await run("dump", "--set", "k=${file:\(path)}", "--placeholders").output.contains("********"))
        let broken = try await run("check", "--set", "k=${none}", "--placeholders")
        #expect(broken.status == 1)
        // No message shows a part of an argument.
        #expect(broken.errors.contains("a placeholder in 'k' leads to no property"))
        #expect(!broken.errors.contains("none"))
    }

    @Test("The key . is the root")
    func root() async throws {
        #expect(
            try await run("get", ".", "config.json").output == """
                {"api": {"baseURL": "http://a", "timeout": 30, "deep": {"a": 1, "b": null}}, "x": 1.5}\n
                """)
        #expect(try await run("get", ".", "--env", "NO_SUCH_PREFIX").output == "{}\n")
        #expect(try await run("get", ".", "--set", "k=${none}", "--placeholders").status == 1)
    }

    /// Copies standard input in a shell, without the program `cat`.
    private static let copy = "while IFS= read -r line || [ -n \"$line\" ]; do printf '%s\\n' \"$line\"; done"

    @Test("A pipe is read like a file")
    func pipes() async throws {
        let url = folder.url.appendingPathComponent("pipe.json")
        try #require(unsafe mkfifo(url.path, 0o600) == 0)
        for (words, output) in [
            (["get", "x", "pipe.json"], "1.5\n"),
            // The name of a pipe does not tell its format if there is an option, which does not change other files.
            (["get", "x", "--format", "json", "config.toml", "pipe.json"], "1.5\n"),
            (["get", "x", "--format", "toml", "pipe.json"], ""),
            (["check", "pipe.json", "other.json"], "pipe.json: ok, 5 properties\nother.json: ok, 1 property\n"),
            (["decode", "pipe.json"], nil),
        ] {
            let files = try TemporaryFolder(["output": "", "errors": ""])
            let process = try ToolRun.process(
                words, in: files, workingIn: folder.url,
                through: "\(Self.copy) <config.json >pipe.json & exec \"$0\" \"$@\"")
            try await process.runToEnd()
            let text = try files.text(of: "output")
            if let output { #expect(text == output) } else { #expect(text.contains("{\"type\": \"integer\"")) }
        }
    }

    @Test("A schema is read from standard input")
    func schemaStream() async throws {
        let schema = try await run(
            "dump", "--schema", "-", "--set", "key=hunter2",
            input: #"{"properties": {"key": {"type": "string", "x-secret": true}}}"#)
        #expect(schema.status == 0)
        #expect(schema.output.contains("key       ********  command line --set key"))
    }

    @Test("--dotenv reads standard input and pipes, with the prefix of --env, and only once")
    func dotenvStreams() async throws {
        let text = "TOOLTEST_LEVEL=info\nLEVEL=debug\n"
        for (prefix, output) in [("TOOLTEST", "info\n"), ("TOOLTEST_NONE", "")] {
            let get = try await run("get", "level", "--env", prefix, "--dotenv", "-", input: text)
            #expect(get.output == output)
        }
        let pipe = folder.url.appendingPathComponent("pipe")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        let files = try TemporaryFolder(["output": "", "errors": ""])
        let process = try ToolRun.process(
            ["dump", "--json", "config.toml", "--dotenv", "pipe"], in: files, workingIn: folder.url,
            through: "\(Self.copy) <service.env >pipe & exec \"$0\" \"$@\"")
        try await process.runToEnd()
        #expect(try files.text(of: "output").contains(#""api.timeout": {"value": "30", "origin": "pipe:2"#))
        let twice = try await run("dump", "--dotenv", "-", "--dotenv", "-")
        #expect(twice.errors.hasPrefix("properties: standard input cannot be read twice; expected a file\n"))
    }

    @Test("Standard input that cannot be read is an error")
    func unreadableInput() async throws {
        let files = try TemporaryFolder(["output": "", "errors": ""])
        let process = try ToolRun.process(
            ["dump", "--format", "json", "-"], in: files, workingIn: folder.url, through: "exec \"$0\" \"$@\" <.")
        try await process.runToEnd()
        #expect(process.terminationStatus == 1)
        #expect(
            try files.text(of: "errors") == """
                standard input: error: the input cannot be read: Is a directory; expected a file or a pipe. Check what the \
                input is connected to, and its permissions.\n
                """)
    }
}
