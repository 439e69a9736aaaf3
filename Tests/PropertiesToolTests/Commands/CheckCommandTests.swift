import TestSupport
import Foundation
import PropertyLoaders
import TestSupport
import Testing

extension TypedKey<Int> {
    fileprivate static var port: Self {
        TypedKey("server.port", default: 8080, in: 1...65535, summary: "Where it listens", expected: "a port")
    }
    fileprivate static var workers: Self { TypedKey("server.workers") }
}

extension TypedKey<String> {
    fileprivate static var baseURL: Self { TypedKey("api.baseURL", default: "http://a") }
    fileprivate static var password: Self { TypedKey("db.password", isSecret: true) }
}

extension TypedKey<Bool> {
    fileprivate static var debug: Self { TypedKey("debug", default: false) }
}

extension TypedKey<[String]> {
    fileprivate static var hosts: Self { TypedKey("hosts", default: []) }
}

extension TypedKey<Level> {
    fileprivate static var level: Self { TypedKey("log.level", default: .info) }
}

extension TypedKey<UInt8> {
    fileprivate static var retries: Self { TypedKey("retries", default: 3) }
}

extension TypedKey<Double> {
    fileprivate static var rate: Self { TypedKey("rate", default: 0.5, in: 0...1) }
}

extension TypedKey<[String: Int]> {
    fileprivate static var quotas: Self { TypedKey("quotas", default: [:]) }
}

private enum Level: String, CaseIterable, Sendable {
    case debug, info
}

@Suite("properties check")
struct CheckCommandTests {
    private let folder: TemporaryFolder
    private static let good = """
        debug = true
        hosts = ["a"]
        retries = 3
        rate = 1
        [server]
        port = 80
        workers = 4
        [db]
        password = "p"
        [quotas]
        a = 1

        """

    /// A store with the keys of a service.
    private static func store() -> PropertyStore {
        let store = PropertyStore()
        store.declare(.port, .workers, .baseURL, .password, .debug, .hosts, .level, .retries, .rate, .quotas)
        return store
    }

    init() throws {
        folder = try TemporaryFolder([
            "schema.json": Self.store().reference(as: .jsonSchema(refusesUnknownKeys: true)),
            "open.json": Self.store().reference(as: .jsonSchema()),
            "good.toml": Self.good,
            "bad.toml": """
            debug = "true"
            hosts = ["a", 2]
            retries = 300
            rate = 1.5
            [server]
            port = 70000
            wrokers = 4
            [log]
            level = "loud"
            [quotas]
            a = "x"
            [db]
            password = 5

            """,
            "broken.toml": "a = 1\nb = \n",
            "broken.json": """
            {
                "host": "db.internal,
                "ports": [80, 443x, 8443],
                debug: True
            }

            """,
            ".env": "HOST=db\nPORT 80\nNAME=\"a\\qb\"\n",
            "keys.txt": "\u{FEFF}# the keys\r\n\r\n  server.port \r\nserver.workers\nquotas\ndb.password\nhosts",
            "none.txt": "# none\n",
            "a,b:c%.toml": "x = \"\n",
            "dates.toml": "[api]\nbaseURL = 2026-11-22\n",
            "twice.json": "{\"debug\": true,\n\"debug\": false}",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("A file of unknown format and a missing file are findings, and the other files are checked")
    func goesOn() async throws {
        let run = try await run("check", "x.conf", "missing.json", "broken.toml", "good.toml")
        #expect(run.status == 1)
        #expect(run.output == "good.toml: ok, 8 properties\n")
        #expect(
            run.errors == """
                x.conf: error: the format of 'x.conf' is not known; name it with --format (json, toml, plist, env, directory)
                missing.json: error: no such file. Check the path, and the directory that the program was started in.
                broken.toml:2:5: error: a value is missing; expected a string, a number, a boolean, an array or an inline table
                    2 | b =\u{20}
                      |     ^

                """)
    }

    @Test("All problems of all files are reported, in the order of their places")
    func allProblems() async throws {
        let run = try await run("check", "broken.json", ".env", "broken.toml")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        let lines = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(
            lines.map(String.init) == [
                "broken.json:2:13: error: the string that starts here has no end; expected `\"` before the end of the line",
                "broken.json:3:19: error: `443x` is not a valid number; expected a number, or text in quotes",
                "broken.json:4:5: error: the key `debug` has no quotes; expected a key in double quotes. Put quotes around the key, or look for a missing quote before it.",
                "broken.json:4:12: error: `True` is not a valid value; expected `true`, or text in quotes",
                ".env:2:6: error: no '=' follows the name; expected '='. Write NAME=value, and put a value of several lines in quotes.",
                #".env:3:8: error: this backslash has no meaning; expected \n, \r, \t, \", \\, \$, \u{…} or the line's end after it. Write two backslashes for one, or put the value in single quotes."#,
                "broken.toml:2:5: error: a value is missing; expected a string, a number, a boolean, an array or an inline table",
            ])
    }

    @Test("--keys reports keys that are not in the list, with a suggestion, and accepts what is below a key")
    func keys() async throws {
        let run = try await run("check", "good.toml", "--keys", "keys.txt")
        #expect(run.status == 1)
        #expect(
            run.errors == """
                good.toml:1:1: error: 'debug' is not a key that is read. Check its spelling, or remove it.
                good.toml:3:1: error: 'retries' is not a key that is read. Check its spelling, or remove it.
                good.toml:4:1: error: 'rate' is not a key that is read. Check its spelling, or remove it.

                """)
        let near = try await self.run("check", "--set", "server.prot=1", "--keys", "keys.txt")
        #expect(
            near.errors == """
                command line --set server.prot: error: 'server.prot' is not a key that is read. Did you mean 'server.port'?

                """)
        let known = ["--set", "server.port=1", "--set", "quotas.a.b=1", "--set", "db.password=p"]
        let good = try await ToolRun(["check", "--keys", "keys.txt"] + known, in: folder.url)
        #expect(good.errors.isEmpty)
        #expect(good.status == 0)
    }

    @Test("A list of keys that has none, or does not exist, is an error, and so are two lists")
    func wrongKeys() async throws {
        let none = try await run("check", "good.toml", "--keys", "none.txt")
        #expect(
            none.errors
                == "none.txt: error: the list has no key; expected one name on each line, such as 'server.port'\n")
        #expect(none.status == 1)
        let missing = try await run("check", "good.toml", "--keys", "missing.txt")
        #expect(missing.errors.hasPrefix("missing.txt: error: no such file"))
        let both = try await run("check", "good.toml", "--keys", "keys.txt", "--schema", "schema.json")
        #expect(both.errors.hasPrefix("properties: expected one of --schema and --keys\n"))
        #expect(both.status == 2)
    }

    @Test("--schema reports what the declared keys of the service report, with the same words")
    func sameAsService() async throws {
        let store = Self.store()
        store.acceptUncheckedChanges()
        try store.apply(TomlPropertyLoader(url: folder.url.appendingPathComponent("bad.toml")))
        let problems = #expect(throws: PropertyErrors.self) { try store.verify(unknownKeys: .refused) }?.problems ?? []
        #expect(problems.count == 10)
        let run = try await run("check", "bad.toml", "--schema", "schema.json")
        #expect(run.status == 1)
        // The service has the noun of its key, "a port", and the schema has the limits of a UInt8.
        let lines = run.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == problems.count)
        let expected = problems.map { problem in
            let text = problem.description.replacingOccurrences(of: "\(folder.url.path)/", with: "")
            return text.replacingOccurrences(of: ": '", with: ": error: '")
                .replacingOccurrences(of: "expected a port", with: "expected an integer")
                .replacingOccurrences(of: "300; expected an integer.", with: "300; expected an integer from 0 to 255.")
        }
        #expect(lines.map(Self.withoutPlace).sorted() == expected.map(Self.withoutPlace).sorted())
    }

    private static func withoutPlace(_ line: String) -> String {
        line.split(separator: "error: ").last.map(String.init) ?? line
    }

    /// A generator of JSON documents with some of the keys, with other keys, and with values of all kinds.
    private struct RandomDocument {
        private static let values = [
            "1", "-5", "300", "70000", "0.5", "1.0", "9223372036854775808", "true", "null", #""x""#, #""debug""#,
            #""5""#,
            #"["a"]"#, "[1]", "[]", #"{"a": 1}"#, #"{"a": 9223372036854775808}"#, #"{"a": "x"}"#, "{}",
        ]
        private static let tables = [
            "server": ["port", "workers", "prot"], "api": ["baseURL", "base_url"], "db": ["password"],
            "log": ["level", "levle"],
        ]
        private static let keys = ["debug", "hosts", "retries", "rate", "quotas", "unknown"]

        var generator: SplitMix

        mutating func text() -> String {
            let tables = Self.tables.sorted { $0.key < $1.key }.map { name, keys in
                Int.random(in: 0..<8, using: &generator) == 0 ? member(name) : "\"\(name)\": {\(members(keys))}"
            }
            return "{\((tables + [members(Self.keys)]).filter { !$0.isEmpty }.joined(separator: ", "))}"
        }

        private mutating func members(_ keys: [String]) -> String {
            var members: [String] = []
            for key in keys where Bool.random(using: &generator) { members.append(member(key)) }
            return members.joined(separator: ", ")
        }

        private mutating func member(_ key: String) -> String {
            "\"\(key)\": \(Self.values.randomElement(using: &generator) ?? "1")"
        }
    }

    @Test("For random documents, --schema finds at the same places what the service finds")
    func randomDocuments() async throws {
        var document = RandomDocument(generator: SplitMix(state: 15))
        var total = 0
        for number in 0..<40 {
            let text = document.text()
            try Data(text.utf8).write(to: folder.url.appendingPathComponent("random.json"))
            let store = Self.store()
            store.acceptUncheckedChanges()
            try store.apply(JsonPropertyLoader(string: text, name: "random.json"))
            var expected: [String] = []
            do throws(PropertyErrors) {
                try store.verify(unknownKeys: .refused)
            } catch {
                expected = error.problems.map { problem in
                    let place = "\(problem.origin?.line ?? 0):\(problem.origin?.column ?? 0)"
                    return "\(place) '\(problem.name)' \(Self.kind("\(problem.reason)"))"
                }
            }
            let run = try await run("check", "--json", "random.json", "--schema", "schema.json")
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            let findings = try #require(report?["findings"] as? [[String: Any]])
            let found = findings.map { finding in
                let name = (finding["message"] as? String ?? "").split(separator: " ").first ?? ""
                let place = "\(finding["line"] as? Int ?? 0):\(finding["column"] as? Int ?? 0)"
                return "\(place) \(name) \(Self.kind(finding["rule"] as? String ?? ""))"
            }
            #expect(found.sorted() == expected.sorted(), "document \(number): \(text)")
            #expect(run.status == (expected.isEmpty ? 0 : 1))
            total += found.count
        }
        #expect(total > 100)
    }

    /// Whether a key is missing, unknown, or has a wrong value. The schema does not tell all kinds of wrong values
    /// apart.
    private static func kind(_ reason: String) -> String {
        let rule = reason.replacingOccurrences(of: " ", with: "-")
        return ["missing", "unknown-key"].contains(rule) ? rule : "wrong"
    }

    @Test("--schema accepts what the service accepts, and matches the environment with the keys")
    func goodFiles() async throws {
        let run = try await run("check", "good.toml", "--schema", "schema.json", "--set", "api.baseURL=x")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output == "good.toml: ok, 8 properties\ncommand line: ok, 1 property\n")
        // A key whose schema is a string may be a date in Swift.
        #expect(try await self.run("check", "good.toml", "dates.toml", "--schema", "schema.json").status == 0)
        let name = try await self.run("dump", "--schema", "schema.json", "--env", "TOOLTEST", "--set", "server.port=1")
        #expect(name.output.contains("api.timeout"))
        let secret = try await self.run("dump", "--schema", "schema.json", "good.toml")
        #expect(secret.output.contains("db.password     ********  good.toml:9:12"))
    }

    @Test("Unknown keys are warnings unless the schema refuses them")
    func unknownKeys() async throws {
        for (schema, status, word) in [("open.json", Int32(0), "warning"), ("schema.json", 1, "error")] {
            let run = try await run("check", "good.toml", "--set", "serve.port=1", "--schema", schema)
            #expect(run.status == status)
            #expect(
                run.errors
                    == "command line --set serve.port: \(word): 'serve.port' is not a key that is read. "
                    + "Did you mean 'server.port'?\n")
        }
    }

    @Test("Keys are not missing if a file could not be loaded")
    func partial() async throws {
        let run = try await run("check", "broken.toml", "--schema", "schema.json")
        #expect(run.status == 1)
        #expect(!run.errors.contains("' is missing;"))
        let missing = try await self.run("check", "--set", "debug=true", "--schema", "schema.json")
        #expect(
            missing.errors == """
                error: 'db.password' is missing; expected a string. Set it in a source.
                error: 'server.workers' is missing; expected an integer. Set it in a source.

                """)
    }

    @Test("A schema that keys cannot express is an error")
    func unsupportedSchema() async throws {
        for (schema, message) in [
            (#"{"properties": {"a": {"$ref": "x"}}}"#, "s.json:1:23: error: '$ref' is not a keyword that keys have"),
            (#"{"properties": {"a": {"type": "date"}}}"#, "s.json:1:31: error: 'date' is not a type of JSON Schema"),
            (
                #"{"properties": {"a": {"type": "integer", "minimum": "x"}}}"#,
                "s.json:1:53: error: 'minimum' has the wrong type"
            ),
            (
                #"{"properties": {"a": {"type": "array", "items": {"type": "integer", "maximum": 3}}}}"#,
                "s.json:1:80: error: elements cannot have these limits; expected those of a type such as UInt8, or none"
            ),
            (
                #"{"properties": {"a": {"type": "array", "items": {"type": "number", "exclusiveMaximum": 3}}}}"#,
                "s.json:1:88: error: elements cannot have these limits; expected none"
            ),
            (
                #"{"properties": {"a": {"type": "integer", "minimum": 5, "maximum": 1}}}"#,
                "s.json:1:53: error: these limits contradict each other; expected one of 'maximum' and "
                    + "'exclusiveMaximum', and a smaller 'minimum'"
            ),
            (
                #"{"properties": {"a": {"type": "number", "maximum": 1, "exclusiveMaximum": 2}}}"#,
                "s.json:1:52: error: these limits contradict each other"
            ),
            (#"{"properties": 1}"#, "s.json:1:16: error: 'properties' is not a table"),
            ("[]", "s.json:1:1: error: this is not a schema"),
        ] {
            let files = try TemporaryFolder(["s.json": schema])
            let run = try await ToolRun(["check", "--set", "a=1", "--schema", "s.json"], in: files.url)
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix(message), "\(run.errors)")
        }
    }

    @Test("--quiet prints errors only")
    func quiet() async throws {
        let run = try await run("check", "--quiet", "twice.json", "good.toml")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.errors.isEmpty)
        #expect(try await self.run("check", "--quiet", "twice.json", "broken.toml").errors.hasPrefix("broken.toml:2:5"))
    }

    @Test("--format-output json lists files and findings")
    func json() async throws {
        for words in [["--json"], ["--format-output", "json"]] {
            let run = try await ToolRun(["check", "broken.toml", "twice.json"] + words, in: folder.url)
            #expect(run.status == 1)
            #expect(run.errors.isEmpty)
            let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            let files = try #require(report["files"] as? [[String: Any]])
            #expect(files.map { $0["name"] as? String } == ["twice.json"])
            #expect(files.map { $0["properties"] as? Int } == [1])
            let findings = try #require(report["findings"] as? [[String: Any]])
            #expect(findings.map { $0["severity"] as? String } == ["error", "warning"])
            #expect(findings.map { $0["rule"] as? String } == ["syntax", "duplicate"])
            #expect(findings.map { $0["file"] as? String } == ["broken.toml", "twice.json"])
            #expect(findings.map { $0["line"] as? Int } == [2, 2])
            #expect(findings.map { $0["column"] as? Int } == [5, 1])
        }
    }

    @Test("--format-output github annotates lines, and escapes what ends an attribute")
    func github() async throws {
        let run = try await run("check", "a,b:c%.toml", "--schema", "schema.json", "--format-output", "github")
        #expect(run.status == 1)
        #expect(
            run.output == """
                ::error file=a%2Cb%3Ac%25.toml,line=1,col=5,title=syntax::the string that starts here has no end; \
                expected `"` before the end of the line\n
                """)
        let input = try await ToolRun(
            ["check", "-", "--format", "toml", "--format-output", "github"], input: "a = \"", in: folder.url)
        #expect(input.output.hasPrefix("::error line=1,col=5,title=syntax::standard input:1:5: the string"))
        let place = try await self.run(
            "check", "--set", "debug=maybe", "--set", "server.workers=1", "--set", "db.password=x", "--schema",
            "schema.json", "--format-output=github")
        #expect(
            place.output == """
                ::error title=not-parsable::command line --set debug: 'debug' is a text that may be secret; expected \
                true or false. Write true or false.\n
                """)
    }

    @Test("--format-output sarif is a log with a rule, a level and a region for each finding")
    func sarif() async throws {
        let run = try await run("check", "broken.toml", "twice.json", "--format-output", "sarif")
        let log = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let runs = try #require(log["runs"] as? [[String: Any]])
        #expect(runs.count == 1)
        let results = try #require(runs[0]["results"] as? [[String: Any]])
        #expect(results.map { $0["ruleId"] as? String } == ["syntax", "duplicate"])
        #expect(results.map { $0["level"] as? String } == ["error", "warning"])
        let text = try String(
            decoding: JSONSerialization.data(
                withJSONObject: results[0]["locations"] as Any, options: [.sortedKeys, .withoutEscapingSlashes]),
            as: UTF8.self)
        #expect(
            text == """
                [{"physicalLocation":{"artifactLocation":{"uri":"broken.toml"},\
                "region":{"startColumn":5,"startLine":2}}}]
                """)
        let driver = (runs[0]["tool"] as? [String: Any])?["driver"] as? [String: Any]
        #expect((driver?["rules"] as? [[String: String]])?.compactMap { $0["id"] } == ["syntax", "duplicate"])
    }
}
