import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The standard sources")
struct StandardSourcesTests {
    private struct Defaults {
        struct API { let url = "http://localhost", timeout = 30 }
        let api = API()
        let workers = 1, level = "info", port = 8080
    }

    @Test("Defaults, file, profile, environment and command line override each other in this order")
    func whole() throws {
        let scratch = try Scratch()
        let file = try scratch.write(
            "workers = 2\nlevel = \"warning\"\nport = 1\n[api]\ntimeout = 10\n", to: "config.toml")
        try scratch.write("level = \"error\"\nport = 2\n", to: "config.production.toml")
        let store = PropertyStore()
        try store.apply(
            .standardSources(
                defaults: Defaults(), file: file.path, profile: "production", environment: "APP",
                variables: ["APP_PORT": "3", "APP_WORKERS": "8"], arguments: ["--port=4"]))
        #expect(
            store.listing == [
                "api.timeout=10 (\(file.path):5:11)", "api.url=\"http://localhost\" (Defaults api.url)",
                "level=\"error\" (\(scratch.file("config.production.toml").path):1:9)",
                "port=\"4\" (command line --port)",
                "workers=\"8\" (environment APP_WORKERS)",
            ])
        #expect(store.history(of: "port").count == 5)
    }

    @Test("A missing file or profile, an invalid profile name and an unknown extension are errors")
    func errors() throws {
        let scratch = try Scratch()
        let file = try scratch.write("a = 1", to: "config.toml")
        func message(_ file: URL, _ profile: String? = nil) -> String? {
            loadError {
                try PropertyStore().apply(.profileFiles(url: file, profile: profile))
            }?.description.replacing(scratch.url.path + "/", with: "")
        }
        #expect(message(scratch.file("none.toml"))?.hasPrefix("none.toml: no such file") == true)
        #expect(message(file, "prodution")?.hasPrefix("config.prodution.toml: no such file") == true)
        #expect(
            message(file, "../x")
                == "config.toml: '../x' is not a valid name of a profile; expected a name such as production. "
                + "For config.production.toml, write production.")
        #expect(message(file, "/\u{301}x")?.contains("is not a valid name of a profile") == true)
        #expect(
            message(scratch.file("config.yaml"))
                == "config.yaml: the extension does not tell a format that this module loads; "
                + "expected .toml, .json, .jsonc or .env. Use a file of one of these formats.")
    }

    @Test("A variable names the profile, and is not a property")
    func profileVariable() throws {
        let scratch = try Scratch()
        let file = try scratch.write("a = 1", to: "config.toml")
        try scratch.write("a = 2", to: "config.test.toml")
        try scratch.write("a = 3", to: "config.other.toml")
        func store(_ variables: [String: String], profile: String? = nil) throws -> PropertyStore {
            let store = PropertyStore()
            store.declare(TypedKey<Int>("a"), TypedKey<Int>("b", default: 0))
            try store.apply(
                .standardSources(
                    file: file.path, profile: profile, environment: "SHOP", variables: variables, arguments: []))
            try store.verify(unknownKeys: .refused)
            return store
        }
        #expect(try store([:]).values == ["a=1"])
        #expect(try store(["SHOP_PROFILE": ""]).values == ["a=1"])
        #expect(try store(["SHOP_PROFILE": "test", "SHOP_B": "4"]).values == ["a=2", "b=\"4\""])
        #expect(try store(["SHOP_PROFILE": "test"], profile: "other").values == ["a=3"])
        loadError { try store(["SHOP_PROFILE": "prodution"]) }
    }

    @Test(
        "The tool and a service take the same variable for the profile",
        arguments: [("APP", "APP_PROFILE"), ("APP_", "APP_PROFILE"), ("", "PROFILE")])
    func conventionalProfileVariable(prefix: String, variable: String) {
        #expect(EnvironmentPropertyLoader(prefix: prefix).profileVariable == variable)
    }

    @Test("The file of a profile need not exist if it is not required")
    func missingProfileFile() throws {
        let scratch = try Scratch()
        let file = try scratch.write("a = 1", to: "config.toml")
        let store = PropertyStore()
        try store.apply(.profileFiles(url: file, profile: "local", requiresProfileFile: false))
        #expect(store.values == ["a=1"])
        try scratch.write("a = 2", to: "config.local.toml")
        try store.reload()
        #expect(store.values == ["a=2"])
        loadError {
            try store.apply(.profileFiles(url: file, profile: "../x", requiresProfileFile: false))
        }
    }

    @Test("The file need not exist if it is not required, and is read when it appears. The profile's must exist")
    func missingFile() throws {
        let scratch = try Scratch(), store = PropertyStore()
        func sources(_ profile: String? = nil) -> PropertySources {
            .profileFiles(url: scratch.file("config.toml"), requiresFile: false, profile: profile)
        }
        try store.apply(sources())
        #expect(store.values == [])
        try scratch.write("a = 1", to: "config.toml")
        try store.reload()
        #expect(store.values == ["a=1"])
        try scratch.write("a =", to: "config.toml")
        loadError { try store.apply(sources()) }
        #expect(loadError { try store.apply(sources("test")) } != nil)
    }
}
