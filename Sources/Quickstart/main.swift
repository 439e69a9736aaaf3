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

do {
    let assembler = try Assembler(assemblies: [ServiceAssembly()], propertyLoaders: loaders)
    try Report(assembler).print()
} catch {
    FileHandle.standardError.write(Data("quickstart: \(error)\n".utf8))
    exit(1)
}
