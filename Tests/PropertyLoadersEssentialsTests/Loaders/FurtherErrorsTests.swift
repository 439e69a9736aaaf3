import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The further errors of a source that cannot be parsed")
struct FurtherErrorsTests {
    private static let toml = "port = 80a\nhosts = [\"a\" \"b\"]\n[log\nlevel = \"info\n"

    @Test("The report of a start has all errors of all sources, and a description of an error only the first")
    func report() throws {
        let loaders: [any PropertyLoader] = [
            TomlPropertyLoader(string: Self.toml, name: "config.toml"),
            DotEnvPropertyLoader(string: "A 1\nB=1\nC 3\n", name: ".env"),
        ]
        let error = try #require(throws: ConfigurationErrors.self) {
            try PropertyStore().start(loaders, unknownKeys: .refused)
        }
        #expect(
            error.problems.map(\.place) == [
                ".env:1:3", ".env:3:3", "config.toml:1:8", "config.toml:2:14", "config.toml:3:1", "config.toml:4:9",
            ])
        let first = try #require(loadError { try loaders[0].load() })
        #expect(
            first.description == "config.toml:1:8: `80a` is not a valid number; expected a number, or text in quotes")
        #expect(first.furtherErrors.count == 3)
        #expect(ConfigurationErrors([first]).problems.count == 4)
    }
}
