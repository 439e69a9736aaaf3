// An example of a small service: it reads settings from several sources, builds services from them, and prints a
// typical error message and a reload. Run it in the folder of the package: swift run quickstart
import Container
import Foundation
import PropertyLoaders

let fixtures = URL(filePath: "Fixtures/quickstart")
let loaders: [any PropertyLoader] = [
    PlistPropertyLoader(url: fixtures.appending(path: "team.plist")),
    JsonPropertyLoader(url: fixtures.appending(path: "settings.json")),
    TomlPropertyLoader(url: fixtures.appending(path: "config.toml")),
]

let container = Container()
Assembler(container: container).apply(assembly: ServiceAssembly())
do {
    try await container.start(loaders)
} catch {
    error.reportAndExit()
}
try await Report(container).print()
