import ArgumentParser
import Container
import PropertyLoaders
import Testing

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop", abstract: "Imports orders.",
        discussion: "A setting is an option, too: --db.path=orders.sqlite")

    @Argument(help: "The files to import.") var files: [String]
    @Flag(name: .shortAndLong, help: "Print each order.") var verbose = false
    @Option(help: "The number of orders to import.") var limit: Int?
}

@Suite("swift-argument-parser")
struct ArgumentParserTests {
    let container = Container()

    private func command(_ arguments: [String]) throws -> ImportCommand {
        let commandLine = CommandLinePropertyLoader(
            arguments: arguments, passthrough: ["help", "verbose", "limit"])
        try container.applyPropertyLoader(commandLine)
        return try ImportCommand.parse(commandLine.remaining)
    }

    @Test("Settings and the command's own arguments can be mixed in any order")
    func mixed() throws {
        let command = try command(
            ["-v", "--db.path=a.sqlite", "one.csv", "--limit", "5", "--db.pool", "4", "two.csv", "--", "--three.csv"])
        #expect(command.files == ["one.csv", "two.csv", "--three.csv"])
        #expect(command.verbose)
        #expect(command.limit == 5)
        #expect(container.property("db.path") == "a.sqlite")
        #expect(container.property("db.pool") == 4)
        #expect(container.properties.entries.count == 2)
    }

    @Test("An option of the command may have its value after an equals sign", arguments: ["--limit=5", "--limit 5"])
    func option(form: String) throws {
        let command = try command(form.split(separator: " ").map(String.init) + ["--verbose", "a.csv"])
        #expect(command.limit == 5)
        #expect(command.verbose)
        #expect(command.files == ["a.csv"])
    }

    @Test("--help prints the help of the command, wherever it is", arguments: [0, 1, 2, 3])
    func help(position: Int) throws {
        var arguments = ["--db.path=a.sqlite", "one.csv", "--db.pool=4"]
        arguments.insert("--help", at: position)
        let error = #expect(throws: (any Error).self) { try command(arguments) }
        let failure = try #require(error)
        #expect(ImportCommand.exitCode(for: failure) == .success)
        let text = ImportCommand.fullMessage(for: failure)
        #expect(text.hasPrefix("OVERVIEW: Imports orders."))
        #expect(text.contains("A setting is an option, too"))
        #expect(text.contains("USAGE: shop <files> ... [--verbose] [--limit <limit>]"))
    }

    @Test("-h prints the help, and a wrong argument of the command is the parser's error")
    func errors() throws {
        for (arguments, message) in [
            (["-h"], "OVERVIEW: Imports orders."),
            (["--limit", "x", "a.csv"], "Error: The value 'x' is invalid for '--limit <limit>'"),
            (["-x", "a.csv"], "Error: Unknown option '-x'"),
        ] {
            let error = #expect(throws: (any Error).self) { try command(arguments) }
            #expect(ImportCommand.fullMessage(for: try #require(error)).hasPrefix(message))
        }
    }

    @Test("A misspelt option is a setting that nobody reads, which the check of unknown keys reports")
    func misspelt() throws {
        container.properties.declare(TypedKey<String>("db.path", default: "orders.sqlite"))
        _ = try command(["--limt=5", "--db.pth=a.sqlite", "one.csv"])
        let errors = #expect(throws: ConfigurationErrors.self) {
            try container.properties.verify()
        }
        #expect(
            errors?.problems.map(\.description) == [
                "command line --limt: 'limt' is neither declared nor read by a service. Did you mean --limit?",
                "command line --db.pth: 'db.pth' is neither declared nor read by a service. Did you mean --db-path?",
            ])
    }
}
