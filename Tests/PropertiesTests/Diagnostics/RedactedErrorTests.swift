import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A redacted error quotes nothing from its source")
struct RedactedErrorTests {
    static let documents: [(any PropertyLoader & Sendable, String)] =
        [
            "{\"password\": hush}", "{\"password\": \"hush}", "{'hush': 1}", "{\"a\": \"\\hush\"}", "[\"hush\"]",
            "hush",
            "{\"p\": \"hush\" \"q\": 1}", "{\"p\": 1hush}", "\"hush\"", "{\"p\": 0xhush}",
        ].map { (JsonPropertyLoader(string: $0, name: "s.json").secret(), $0) }
        + [
            "password = hush", "password = \"hush", "p = 'a'hush", "p = \"\\hush\"", "p = [hush]", "p = 1hush",
            "p = Hush # a", "p == hush", "p: hush", "p = {a = hush}", "p = 2026-hush",
        ].map { (TomlPropertyLoader(string: $0, name: "s.toml").secret(), $0) }
        + [
            "A='hush", "A=\"hush\\h\"", "A='hush'hush", "hush", "A=hush\rhush\nB=1", "A=hush\u{0}",
            "hush=1\nhush",
        ].map { (DotEnvPropertyLoader(string: $0, name: "s.env").secret(), $0) }

    @Test("No part of the error about a secret document quotes the document", arguments: 0..<28)
    func redacted(number: Int) throws {
        let (loader, text) = Self.documents[number]
        #expect(Self.documents.count == 28)
        do {
            _ = try loader.load()
            Issue.record("was loaded: \(text)")
        } catch {
            let error = try #require(error as? PropertyLoadError)
            #expect(!error.everything.lowercased().contains("hush"), "\(error.everything)")
            #expect(error.description.hasPrefix("s."))
            #expect(error.problem != "")
        }
    }

    @Test("The error of a custom loader is redacted, whether the loader or a wrapper marks its source as secret")
    func ownLoader() throws {
        struct Vault: PropertyLoader {
            let isSecret: Bool
            let reason: PropertyLoadError.Reason
            func load() throws -> PropertyLayer {
                let source = PropertySource(
                    name: "vault", text: SourceText(bytes: Array("a = hush".utf8)), isSecret: isSecret)
                let origin = PropertyOrigin(source: source, place: 4)
                throw PropertyLoadError(
                    reason, "'hush' is not a valid value", at: origin, expected: "'hush' in quotes",
                    remedy: "Write \"hush\"", notes: [.init("`hush` begins at", at: origin)])
            }
        }
        for reason in [PropertyLoadError.Reason.syntax, .unsupported, .unresolved, .cycle] {
            let loaders: [any PropertyLoader] = [
                Vault(isSecret: true, reason: reason), Vault(isSecret: false, reason: reason).secret(),
            ]
            for loader in loaders {
                let error = loadError { _ = try loader.load() }
                #expect(error.map { !$0.everything.contains("hush") && $0.origin.column == 5 } == true)
            }
        }
    }

    @Test("A redacted error keeps the texts that quote nothing")
    func words() throws {
        let error = loadError {
            _ = try TomlPropertyLoader(string: "p = hush", name: "s.toml").secret().load()
        }
        #expect(
            error?.description
                == "s.toml:1:5: what stands here cannot be read; it is secret; expected a value. Put text in quotes.")
        let comma = loadError { _ = try JsonPropertyLoader(string: "[\"hush\" 5]", name: "s.json").secret().load() }
        #expect(
            comma?.description
                == "s.json:1:9: what stands here cannot be read; it is secret; expected `,` between two values. "
                + "Add it, or look for a missing quote before this place.")
        let open = loadError { _ = try JsonPropertyLoader(string: "{\"a\": [1, 2", name: "s.json").secret().load() }
        #expect(open?.description == "s.json:1:7: the array that opens here is never closed; expected a `]`")
    }
}

@Suite("Errors about .env files, arguments and environment variables do not quote them")
struct UntypedErrorTests {
    static let files = [
        "hush", "HUSH=1\nhush=1", "A=1\nhush=1\nhush=2", "KEY=-----BEGIN KEY-----\nhush hush\n", "A='hush",
        "A=\"hush\\h\"", "A='hush'hush", "A=hush\rhush\nB=1", "A=hush\u{0}", "HUSH__X=1\nhush.x=1",
        "A.HUSH=1\na.hush=2",
        "A=\"\\u{hush}\"", "2hush", "=hush", String(repeating: "hush.", count: 200) + "x=1",
    ]

    @Test("Errors and warnings of the .env loader", arguments: files)
    func dotEnv(text: String) throws {
        let loader = DotEnvPropertyLoader(string: text, name: ".env")
        var errors: [PropertyLoadError] = []
        do {
            errors = try loader.load().warnings
        } catch {
            errors = [try #require(error as? PropertyLoadError)]
        }
        #expect(errors.count == 1)
        for error in errors {
            #expect(!error.everything.lowercased().contains("hush"), "\(error.everything)")
            #expect(error.origin.line != nil)
        }
    }

    static let arguments: [[String]] = [
        ["--token", "--..hush"], ["---hush"], ["--a..hush=hush"], ["--set", ".hush=hush"], ["--set", "hush"],
        ["--set=hush"], ["--=hush"],
        ["--a." + String(repeating: "hush.", count: 200) + "x", "hush"],
    ]

    @Test("Errors of the command-line loader", arguments: arguments)
    func commandLine(arguments: [String]) throws {
        let error = loadError {
            _ = try CommandLinePropertyLoader(arguments: ["serve"] + arguments).load()
        }
        #expect(error.map { !$0.everything.contains("hush") } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
