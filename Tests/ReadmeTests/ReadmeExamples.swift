import Container
import Foundation
import PropertyLoaders
import Testing

// The Swift blocks of the README, copied verbatim. The code around them declares only what they use.

extension PropertyKey {
    static let apiBaseURL = PropertyKey("api.base_url")
    static let apiTimeout = PropertyKey("api.timeout")
    static let debugMode: PropertyKey = "debug.enabled"
}

struct BuildInfoLoader: PropertyLoader {
    func load() throws -> PropertyLayer {
        ["build.number": 4711, "build.features": ["search", "export"]]
    }
}

struct AppConfig: Sendable {
    struct API: Sendable {
        let baseURL = "https://api.example.com"
        let timeout = 30
    }

    let api = API()
    let appName = "MyApp"
    let debugMode = false
    let proxy: String? = nil
}

@Suite("The README's examples")
struct ReadmeExamples {
    @Test("A loader takes a bundle and a name, a URL, or text")
    func sources() throws {
        let container = Container()

        let fromBundle = JsonPropertyLoader(bundle: .main, name: "properties")  // properties.json
        let fromFile = JsonPropertyLoader(url: URL(fileURLWithPath: "/etc/service/config.json"))
        let fromText = JsonPropertyLoader(string: #"{"debug": true} // for now"#, name: "inline.json")
        try container.applyPropertyLoader(fromText)

        #expect(container.property("debug") == true)
        for missing in [fromBundle, fromFile] {
            let error = #expect(throws: ConfigurationErrors.self) { try container.applyPropertyLoader(missing) }
            #expect((error?.problems.first?.error as? PropertyLoadError)?.reason == .notFound)
        }
    }

    @Test("Two files give a registration its properties, and a Swift value does in a test")
    func byName() throws {
        struct APIClient {
            let baseURL: String?
            let timeout: Int
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let defaults = folder.appendingPathComponent("defaults.json")
        let configuration = folder.appendingPathComponent("config.toml")
        try Data(#"{"api": {"base_url": "https://api.example.com", "timeout": 10}}"#.utf8).write(to: defaults)
        try Data("[api]\ntimeout = 20".utf8).write(to: configuration)

        let baseURL: PropertyKey = "api.base_url"
        func makeContainer(_ loaders: any PropertyLoader...) throws -> Container {
            let container = Container()
            for loader in loaders { try container.applyPropertyLoader(loader) }
            container.register(APIClient.self) { r in
                APIClient(baseURL: r.property(baseURL), timeout: r.property("api.timeout") ?? 30)
            }
            return container
        }

        let container = try makeContainer(JsonPropertyLoader(url: defaults), TomlPropertyLoader(url: configuration))
        let client = container.resolve(APIClient.self)

        let test = try makeContainer(StructPropertyLoader(["api": ["timeout": 5]]))
        #expect(test.resolve(APIClient.self)?.timeout == 5)

        #expect(client?.baseURL == "https://api.example.com")
        #expect(client?.timeout == 20)
    }

    @Test("A Swift value is a source")
    func swiftValues() throws {
        let container = Container()

        try container.applyPropertyLoader(StructPropertyLoader(AppConfig()))
        let appName: String? = container.property("appName")  // "MyApp"
        let timeout: Int? = container.property("api.timeout")  // 30

        #expect(appName == "MyApp")
        #expect(timeout == 30)
        #expect(container.property("proxy") as String? == nil)
    }

    @Test("A loader of one's own is one function")
    func ownLoader() throws {
        let store = PropertyStore()
        try store.apply(BuildInfoLoader())
        #expect(store.property("build.number") == 4711)
        #expect(store.property("build.features") == ["search", "export"])
    }

    @Test("The files of the article on merging merge to what it says")
    func merging() throws {
        let chapter =
            try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/Merging.md")
            .components(separatedBy: "\n### ").first { $0.hasPrefix("Two files\n") } ?? ""
        let blocks = chapter.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        func file(_ index: Int) -> String { String(blocks[index].drop { $0 != "\n" }.dropFirst()) }
        #expect(blocks.count == 6)
        func expect(_ loaders: [any PropertyLoader], giveBlock index: Int) throws {
            let store = PropertyStore()
            try store.apply(loaders)
            #expect(store.entries.map { "\($0)\n" }.joined() == file(index))
        }
        let toml = [("config.toml", 0), ("local.toml", 1)].map { TomlPropertyLoader(string: file($1), name: $0) }
        try expect(toml, giveBlock: 2)
        let json = [("config.json", 3), ("local.json", 4)].map { JsonPropertyLoader(string: file($1), name: $0) }
        try expect(json, giveBlock: 5)
    }

    @Test("The messages are those that the documents show")
    func messages() throws {
        let text = "\n\n\n\n\n\n\n\n\n\n[api]\ntimeout = \"30\"\n"
        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
        let reading = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/Reading.md")
        let toml = try ReadmeBlocks.text(
            of: "Sources/ServiceHost/ServiceHost.docc/Formats.md")
        let wrongType = #expect(throws: PropertyError.self) { try store.require(.apiTimeout, as: Int.self) }
        #expect(reading.contains("\n\(wrongType?.description ?? "?")\n"))
        let missing = #expect(throws: PropertyError.self) { try store.require("api.timeot", as: Int.self) }
        #expect(reading.contains("\n\(missing?.description ?? "?")\n"))
        let broken = #expect(throws: ConfigurationErrors.self) {
            try store.apply(
                TomlPropertyLoader(
                    string: text.dropLast(15) + "base_url = \"https://api.example.com\n", name: "config.toml"))
        }
        let cause = try #require(broken?.problems.first?.error as? PropertyLoadError)
        #expect(toml.contains("\n\(cause.longDescription)\n"))
    }
}
