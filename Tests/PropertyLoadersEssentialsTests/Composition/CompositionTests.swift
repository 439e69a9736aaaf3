import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Composition of loaders")
struct CompositionTests {
    @Test("An optional file may be missing, and is watched")
    func missing() throws {
        let scratch = try Scratch()
        let loader = DotEnvPropertyLoader(url: scratch.file("none.env")).optional()
        let layer = try loader.load()
        #expect(layer.table.isEmpty)
        #expect(layer.files == [scratch.file("none.env").path])
        let store = PropertyStore()
        try store.apply(loader)
        try scratch.write("A=1", to: "none.env")
        try store.reload()
        #expect(store.values == ["a=\"1\""])
        try FileManager.default.removeItem(at: scratch.file("none.env"))
        try store.reload()
        #expect(store.values.isEmpty)
        #expect(try DirectoryPropertyLoader(url: scratch.file("none")).optional().load().table.isEmpty)
    }

    @Test("A broken optional file, or an optional directory with a broken link, is still an error")
    func broken() throws {
        let scratch = try Scratch()
        let file = try scratch.write("A", to: "broken.env")
        loadError { try DotEnvPropertyLoader(url: file).optional().load() }
        loadError { try DotEnvPropertyLoader(url: scratch.url).optional().load() }
        try FileManager.default.createSymbolicLink(
            at: scratch.file("link"), withDestinationURL: scratch.file("nowhere"))
        loadError { try DirectoryPropertyLoader(url: scratch.url).optional().load() }
    }

    @Test("A prefix puts a source below a name, and the same source with another prefix is another source")
    func prefixed() throws {
        let base = DotEnvPropertyLoader(string: "HOST=h\nPORT=1", name: "x.env")
        let store = try PropertyStore(sources: Given(["db": ["port": 0, "other": 1]]), base.prefixed("db"))
        try store.apply(base.prefixed("a.b"))
        #expect(
            store.listing == [
                "a.b.host=\"h\" (x.env:1:6)", "a.b.port=\"1\" (x.env:2:6)", "db.host=\"h\" (x.env:1:6)",
                "db.other=1 (given)", "db.port=\"1\" (x.env:2:6)",
            ])
        try store.apply(base.prefixed("db"))
        #expect(store.history(of: "db.port").count == 2)
    }

    @Test("Two prefixes of one file are two sources, even while the file is missing")
    func missingTwice() throws {
        let scratch = try Scratch()
        let url = scratch.file("x.env")
        func sources(_ key: String) -> [any PropertyLoader] {
            [
                DotEnvPropertyLoader(url: url).prefixed(key).secret().optional(),
                DotEnvPropertyLoader(url: url, prefix: key.uppercased()).merge(.deep).optional(),
            ]
        }
        let store = PropertyStore()
        try store.apply(sources("a") + sources("b"))
        #expect(store.values.isEmpty)
        try scratch.write("A_X=1\nB_Y=2", to: "x.env")
        try store.reload()
        #expect(
            store.values == [
                "a.a_x=********", "a.b_y=********", "b.a_x=********", "b.b_y=********", "x=\"1\"", "y=\"2\"",
            ])
        #expect(Set(store.files) == [url.path])
    }

    @Test("A secret source is masked, also in its errors")
    func secret() throws {
        let store = try PropertyStore(sources: DotEnvPropertyLoader(string: "KEY=hunter2", name: "x.env").secret())
        #expect(store.values == ["key=********"])
        let error = loadError {
            try DotEnvPropertyLoader(string: "KEY='hunter2", name: "x.env").secret().load()
        }
        #expect(error?.origin.source.isSecret == true)
        #expect(
            error?.description == "x.env:1:5: the value that starts here has no end; expected a closing '. "
                + "Close the quote.")
    }

    private struct Settings { let key = "hunter2" }
    private struct Vault: PropertyLoader {
        let key = "hunter2"
        func load() -> PropertyLayer { ["key": .string(key)] }
    }

    static let holders: [(loader: any PropertyLoader, name: String)] = [
        (DotEnvPropertyLoader(string: "KEY=hunter2", name: "x.env"), "x.env"),
        (EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_KEY": "hunter2"]), "environment APP"),
        (EnvironmentPropertyLoader(prefix: "", environment: ["KEY": "hunter2"]), "environment"),
        (CommandLinePropertyLoader(arguments: ["--key=hunter2", "hunter2"]), "command line"),
        (StructPropertyLoader(Settings()), "Settings"),
        (JsonPropertyLoader(string: "{\"key\": \"hunter2\"}", name: "x.json"), "x.json"),
        (TomlPropertyLoader(string: "key = 'hunter2'", name: "x.toml"), "x.toml"),
        (Vault().secret(), "Vault"), (Vault().prefixed("a"), "Vault"), (Vault().optional(), "Vault"),
        (DotEnvPropertyLoader(string: "KEY=hunter2", name: "x.env").secret().prefixed("x").optional(), "x.env"),
        (DirectoryPropertyLoader(url: URL(filePath: "secrets")).optional(), "secrets"),
    ]

    @Test("The description and the dump of a loader show only the name of its source")
    func descriptions() {
        #expect(Self.holders.count == 12)
        for (loader, name) in Self.holders {
            var dumped = ""
            dump(loader, to: &dumped)
            #expect("\(loader)" == name)
            #expect(String(reflecting: loader) == name)
            #expect(!dumped.contains("hunter2"))
        }
    }

    @Test("A composed loader whose source has no name is named by its innermost type")
    func names() throws {
        struct BuildInfo: PropertyLoader {
            func load() -> PropertyLayer { ["number": 4711] }
        }
        let store = try PropertyStore(sources: BuildInfo().prefixed("build").merge(.deep).optional().secret())
        #expect(store.listing == ["build.number=******** (BuildInfo)"])
    }
}
