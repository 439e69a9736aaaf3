import Container
import Foundation
import PropertyLoaders
import Testing

// The Swift blocks of the article about the sources of a service, copied verbatim. The program of the README
// is a package of its own, Fixtures/Example, which the gate runs.

@Suite("The examples on services")
struct ServiceExamples {
    private struct Defaults: Sendable { let greeting = "Hello" }

    let container = Container()

    @Test("The parts of the standard sources are a list, too")
    func parts() {
        let composed: PropertySources =
            .profileFiles(url: URL(filePath: "config.toml"), profileVariable: "APP_PROFILE")
            + [EnvironmentPropertyLoader(prefix: "APP"), CommandLinePropertyLoader()]
        #expect(composed.loaders.count == 3)
    }

    @Test("The standard sources, written down")
    func standardSources() throws {
        let error = #expect(throws: ConfigurationErrors.self) {
            let settings: PropertySources = [
                StructPropertyLoader(Defaults()),
                TomlPropertyLoader(url: URL(filePath: "config.toml")),
                TomlPropertyLoader(url: URL(filePath: "config.production.toml")),
                EnvironmentPropertyLoader(prefix: "APP"),
                CommandLinePropertyLoader(),
            ]
            try container.properties.apply(settings)
        }
        // Both files are missing, so no source was applied.
        #expect(error?.problems.map(\.place) == ["config.production.toml", "config.toml"])
        #expect(container.properties.entries.isEmpty)
    }

    @Test("Variables that are not settings")
    func excludedVariables() throws {
        let environment = EnvironmentPropertyLoader(prefix: "SHOP", excluding: ["SHOP_BUILD_ID"])
        try container.applyPropertyLoader(environment)
        #expect(container.properties.entries.isEmpty)
    }

    @Test("Loaders that are changed on the way")
    func composition() throws {
        let error = #expect(throws: ConfigurationErrors.self) {
            try container.properties.apply([
                TomlPropertyLoader(url: URL(filePath: "local.toml")).optional(),  // may be missing, not broken
                JsonPropertyLoader(url: URL(filePath: "database.json")).prefixed("db").merge(.deep),
                DotEnvPropertyLoader(url: URL(filePath: ".env")).optional().secret(),  // masked in every output
                DirectoryPropertyLoader(url: URL(filePath: "/run/secrets")).optional(),
            ])
        }
        #expect(error?.description.hasPrefix("database.json: ") == true)
    }

    @Test("The loader of files takes a URL")
    func file() throws {
        let store = PropertyStore()
        #expect(throws: ConfigurationErrors.self) {
            try store.apply(TomlPropertyLoader(url: URL(filePath: "config.toml")))
        }
    }

    @Test("Placeholders")
    func placeholders() throws {
        #expect(throws: ConfigurationErrors.self) { try replacing() }
        container.properties.replacePlaceholders()
        let toml = "host = \"example.com\"\nurl = \"https://${host}:${port:-443}/\"\nliteral = \"$${host}\""
        try container.applyPropertyLoader(TomlPropertyLoader(string: toml, name: "c"))
        #expect(container.property("url") == "https://example.com:443/")
        #expect(container.property("literal") == "${host}")
    }

    @Test("Placeholders of all sources, with the environment and a directory of files")
    func wholeStore() throws {
        container.properties.replacePlaceholders(
            .properties.environment(isSecret: true).files(under: URL(filePath: "/run/secrets")))
        let toml = "home = \"${env:HOME:-none}\"\npassword = \"${file:/run/secrets/none/db-password:-none}\"\n"
        try container.applyPropertyLoader(TomlPropertyLoader(string: toml, name: "c"))
        #expect(container.property("password") == "none")
        #expect(throws: ConfigurationErrors.self) {
            let hosts = "x = \"${file:/etc/hosts}\""
            try container.applyPropertyLoader(TomlPropertyLoader(string: hosts, name: "d"))
        }
    }

    private func replacing() throws {
        try container.properties.apply(TomlPropertyLoader(url: URL(filePath: "config.toml")).replacingPlaceholders())
    }

    @Test("Changes")
    func changes() async throws {
        try container.applyPropertyLoader(TomlPropertyLoader(string: "api.retries = 5", name: "c"))
        let reader = Task { [container] in
            let retries = container.changes(of: "api.retries", as: Int.self)
            print("begins with", retries.current ?? 3)
            for await change in retries {
                print("was", change.old ?? 3, "and is", change.new ?? 3)
            }
        }
        reader.cancel()
        await reader.value
        let sets = container.changes(under: "api")
        try container.applyPropertyLoader(TomlPropertyLoader(string: "api.retries = 6", name: "c"))
        try container.properties.reload()
        for await set in sets {
            #expect(set.map(\.name) == ["api.retries"])
            break
        }
    }

    @Test(
        "Reloading: a wrong value is reported, the old one stays, and a later good one is used",
        .timeLimit(.minutes(10)))
    func watching() async throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: UUID().uuidString, directoryHint: .isDirectory
        )
        .appending(path: "config.toml")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        func write(_ text: String) throws {
            try Data("[api]\ntimeout = \(text)\n".utf8).write(to: file, options: .atomic)
        }
        let (logs, heard) = AsyncStream.makeStream(of: String.self)
        @Sendable func log(_ text: String) { heard.yield(text) }

        try write("5")
        container.properties.declare(TypedKey<Int>("api.timeout"))
        try container.applyPropertyLoader(TomlPropertyLoader(url: file))
        let timeouts = container.changes(of: "api.timeout", as: Int.self)
        let watcher = PropertyWatcher(container) { error in log("not reloaded: \(error)") }
        let watching = Task { try await watcher.run() }

        try write("\"9\"")
        let message = await logs.first { _ in true }?.replacingOccurrences(of: file.path, with: "config.toml")
        let article = try ReadmeBlocks.text(
            of: "Sources/ServiceHost/ServiceHost.docc/Reloading.md")
        #expect(article.contains("\n\(message ?? "?")\n"))
        #expect(container.property("api.timeout") == 5)
        try write("9")
        #expect(await timeouts.first { _ in true }?.new == 9)
        watching.cancel()
        try await watching.value
    }

    @Test("The article on reloading shows how to look at the files at another interval")
    func polling() {
        @Sendable func log(_ text: String) {}
        let watcher = PropertyWatcher(container, polling: .seconds(5)) { error in log("not reloaded: \(error)") }
        #expect("\(watcher)" == "PropertyWatcher of 0 files")
    }
}
