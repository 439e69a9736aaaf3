import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The choices of the standard sources")
struct SourceChoiceTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Replaces the path of the folder.
    private func text(_ error: ConfigurationErrors?) -> String? {
        error?.description.replacing(scratch.url.path + "/", with: "")
    }

    private func store(_ sources: PropertySources) throws(ConfigurationErrors) -> PropertyStore {
        let store = PropertyStore()
        try store.apply(sources)
        return store
    }

    // MARK: - A `.env` file

    @Test("A .env file is directly below the environment, has its prefix, and may be missing")
    func dotEnv() throws {
        let path = scratch.file(".env").path
        func values(_ variables: [String: String]) throws -> [String] {
            try store(
                .standardSources(
                    defaults: ["b": "default"] as [String: String], dotEnv: path, environment: "APP",
                    variables: variables, arguments: [])
            ).values
        }
        #expect(try values([:]) == ["b=\"default\""])
        try scratch.write("APP_B=file\nAPP_C=file\nOTHER=x\n", to: ".env")
        #expect(try values([:]) == ["b=\"file\"", "c=\"file\""])
        #expect(try values(["APP_C": "variable"]) == ["b=\"file\"", "c=\"variable\""])
    }

    @Test(
        "A variable that is read before the .env file is refused in it, unless the environment has it",
        arguments: [
            ("APP_PROFILE=test", ["APP_PROFILE": "test"], true), ("APP_PROFILE=test", [:], false),
            ("APP_CONFIG=other.toml", [:], false), ("export APP_SECRETS='s'", [:], false), ("APP_PROFILE=", [:], true),
            ("PROFILE=test", [:], true), ("APP_PROFILE=a\nAPP_PROFILE=b", [:], false),
        ] as [(String, [String: String], Bool)])
    func reserved(line: String, variables: [String: String], isAccepted: Bool) throws {
        let file = try scratch.write("a = 1", to: "config.toml")
        try scratch.write("a = 2", to: "config.test.toml")
        try scratch.write("\(line)\nAPP_X=1", to: ".env")
        let sources = PropertySources.standardSources(
            file: file.path, configOption: true, secretsOption: true, dotEnv: scratch.file(".env").path,
            environment: "APP", variables: variables, arguments: [])
        if isAccepted {
            #expect(try store(sources).entries.map(\.name) == ["a", "x"])
        } else {
            let error = #expect(throws: ConfigurationErrors.self) { try store(sources) }
            let name = line.replacing("export ", with: "").prefix { $0 != "=" }
            #expect(
                text(error)?.hasSuffix(
                    ": '\(name)' is read before this file, so it has no effect here; expected it in the environment. "
                        + "Export it to the process, as in: export \(name)=….") == true)
        }
    }

    @Test("Without a file, nothing reads the variable of the profile, which may be another program's")
    func foreignProfile() throws {
        try scratch.write("PROFILE=staging", to: ".env")
        func sources(file: String?) -> PropertySources {
            .standardSources(
                file: file, requiresFile: false, dotEnv: scratch.file(".env").path, environment: "", variables: [:],
                arguments: [])
        }
        #expect(try store(sources(file: nil)).entries.map(\.name) == ["profile"])
        let error = #expect(throws: ConfigurationErrors.self) { try store(sources(file: scratch.file("a.toml").path)) }
        #expect(text(error)?.contains("'PROFILE' is read before this file") == true)
    }

    // MARK: - Empty variables

    private struct SMTP: Settings {
        @Setting var host = "localhost"
        @Setting var port: Int
        @Setting var names = ["a"]
    }

    @Test("An empty variable counts as not set if the sources are told so, and explain and the error say it")
    func emptyIsUnset() throws {
        try scratch.write("APP_SMTP_HOST=file\nAPP_SMTP_NAMES=\n", to: ".env")
        func start(_ variables: [String: String], _ isUnset: Bool = true) throws -> PropertyStore {
            let store = PropertyStore()
            store.declare(SMTP.self, at: "smtp")
            try store.start(
                .standardSources(
                    dotEnv: scratch.file(".env").path, environment: "APP", emptyIsUnset: isUnset, variables: variables,
                    arguments: []))
            return store
        }
        let store = try start(["APP_SMTP_HOST": "", "APP_SMTP_PORT": "25"])
        let smtp = try store.settings(SMTP.self)
        #expect(smtp.host == "file" && smtp.port == 25 && smtp.names == ["a"])
        #expect(try store.explain("smtp.host").description.contains("\nnote       APP_SMTP_HOST is empty, so unset\n"))
        #expect(
            try store.explain("smtp.names").unset == [
                "APP_SMTP_NAMES is empty, so unset (\(scratch.file(".env").path))"
            ])
        #expect(try store.explain("smtp.port").unset == [])
        #expect(try start(["APP_SMTP_PORT": "25", "APP_SMTP_NAMES": "[]"]).settings(SMTP.self).names == [])
        let missing = #expect(throws: ConfigurationErrors.self) { try start(["APP_SMTP__PORT": ""]) }
        #expect(text(missing)?.contains("as APP_SMTP_PORT (APP_SMTP__PORT is empty, so unset)") == true)
        let empty = #expect(throws: ConfigurationErrors.self) { try start(["APP_SMTP_PORT": ""], false) }
        #expect(empty?.problems.map(\.place) == ["environment APP_SMTP_PORT"])
    }

    @Test("An empty variable of its own name, and one without a prefix, count as not set, too")
    func emptyOwnVariable() throws {
        struct Server: Settings { @Setting(environment: "PORT") var port = 80 }
        for (prefix, name) in [("APP", "PORT"), ("", "PORT"), ("", "SERVER_PORT")] {
            let store = PropertyStore()
            store.declare(Server.self, at: "server")
            try store.start([
                EnvironmentPropertyLoader(prefix: prefix, emptyIsUnset: true, environment: [name: ""])
            ])
            #expect(try store.settings(Server.self).port == 80)
            #expect(try store.explain("server.port").unset == ["\(name) is empty, so unset"])
        }
    }

    // MARK: - Paths

    @Test("--config, or APP_CONFIG, chooses the file, beside which the file of the profile is")
    func config() throws {
        let file = try scratch.write("a = 1", to: "config.toml")
        let other = try scratch.write("a = 2", to: "other/app.toml")
        try scratch.write("b = 3", to: "other/app.test.toml")
        let third = try scratch.write("{\"a\": 4}", to: "third.json")
        func values(_ variables: [String: String], _ arguments: [String] = []) throws -> [String] {
            try store(
                .standardSources(
                    file: file.path, configOption: true, environment: "APP", variables: variables, arguments: arguments)
            ).values
        }
        #expect(try values([:]) == ["a=1"])
        #expect(try values(["APP_CONFIG": ""], ["--config="]) == ["a=1"])
        #expect(try values(["APP_CONFIG": other.path]) == ["a=2"])
        #expect(try values(["APP_CONFIG": other.path, "APP_PROFILE": "test"]) == ["a=2", "b=3"])
        for arguments in [
            ["--config", third.path], ["--config=\(third.path)"], ["--config", "x", "--config", third.path],
        ] {
            #expect(try values(["APP_CONFIG": other.path], arguments) == ["a=4"])
        }
        #expect(try values([:], ["--", "--config", "x"]) == ["a=1"])
    }

    @Test(
        "A chosen path that does not exist is an error that names what chose it, also where the default may be missing")
    func missing() throws {
        func error(_ variables: [String: String], _ arguments: [String] = []) -> String? {
            text(
                #expect(throws: ConfigurationErrors.self) {
                    try store(
                        .standardSources(
                            file: scratch.file("config.toml").path, requiresFile: false, configOption: true,
                            secrets: scratch.file("secrets").path, requiresSecrets: false, secretsOption: true,
                            environment: "APP", variables: variables, arguments: arguments))
                })
        }
        let none = scratch.file("none.toml").path
        #expect(
            error(["APP_CONFIG": none])
                == "none.toml: no such file, which APP_CONFIG names. Create it, or correct APP_CONFIG.")
        #expect(
            error([:], ["--config", none])
                == "none.toml: no such file, which --config names. Create it, or correct --config.")
        #expect(
            error(["APP_SECRETS": scratch.file("nowhere").path])
                == "nowhere: no such directory nowhere, which APP_SECRETS names. Create it, or correct APP_SECRETS.")
        #expect(
            error([:], ["--config"]) == "command line --config: nothing follows; expected a path. Write --config PATH.")
    }

    @Test("A folder of secrets may be missing, or be chosen, and its values are secret")
    func secrets() throws {
        try scratch.write("hunter2", to: "other/password")
        func store(_ variables: [String: String]) throws -> PropertyStore {
            try self.store(
                .standardSources(
                    secrets: scratch.file("secrets").path, requiresSecrets: false, secretsOption: true,
                    environment: "APP", variables: variables, arguments: []))
        }
        #expect(try store([:]).entries.isEmpty)
        let chosen = try store(["APP_SECRETS": scratch.file("other").path])
        #expect(chosen.entries.map(\.description).allSatisfy { $0.contains("password = ********") })
        #expect(chosen.entries.count == 1)
    }
}
