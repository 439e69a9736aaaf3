// An example of a small service: it reads settings from several sources, builds services from them, and prints typical
// error messages. Run it in the folder of the package: swift run quickstart
import Container
import Foundation
import PropertyLoaders

let fixtures = URL(fileURLWithPath: "Fixtures/quickstart")
let loaders: [any PropertyLoader] = [
    StructPropertyLoader(Defaults()),
    PlistPropertyLoader(url: fixtures.appendingPathComponent("team.plist")),
    JsonPropertyLoader(url: fixtures.appendingPathComponent("settings.json")),
    TomlPropertyLoader(url: fixtures.appendingPathComponent("config.toml")),
]

let container = Container()
container.properties.declareSecret("api.key")
let assembler = Assembler(container: container)
assembler.apply(assembly: ServiceAssembly())
do {
    try await container.start(loaders)
} catch {
    error.reportAndExit()
}
try await Report(assembler).print()
