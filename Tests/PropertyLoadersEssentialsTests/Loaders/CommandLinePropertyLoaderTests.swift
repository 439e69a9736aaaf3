import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The command line as a source")
struct CommandLinePropertyLoaderTests {
    @Test("Each form of argument becomes a property or a remaining argument, or is an error with a remedy")
    func forms() throws {
        let forms = try RecordedMessages.compare("command-line") { text in
            let loader = CommandLinePropertyLoader(
                arguments: ["more"] + text.split(separator: " ").map(String.init), flags: ["quiet"],
                passthrough: ["help", "config"])
            do {
                let values = try PropertyStore(sources: loader).values.joined(separator: " ")
                return "\(values); \(loader.remaining.joined(separator: " "))"
            } catch {
                return ConfigurationErrors([error]).lines
            }
        }
        #expect(forms == (26, []))
    }

    @Test("Values are text that converts, and their origin is the argument")
    func values() throws {
        let store = try PropertyStore(
            sources: Given(["port": 80]), CommandLinePropertyLoader(arguments: ["--port=81", "--set", "host=h"]))
        #expect(store.property("port") == 81)
        #expect(store.listing == ["host=\"h\" (command line --set host)", "port=\"81\" (command line --port)"])
    }

    @Test("A flag is true; as any other type it has no value, which the error says")
    func flags() throws {
        let store = try PropertyStore(
            sources: CommandLinePropertyLoader(arguments: ["--debug", "--name", "--port", "--set", "x=true"]))
        #expect(store.property("debug") == true)
        #expect(store.property("name") as String? == nil)
        func message<T>(_ name: String, _ type: T.Type) -> String? {
            #expect(throws: PropertyError.self) { try store.require(name, as: type) }?.description
        }
        #expect(
            message("port", Int.self)
                == "command line --port: 'port' has no value; expected an integer. Write --port=VALUE.")
        #expect(
            message("name", String.self)
                == "command line --name: 'name' has no value; expected a string. Write --name=VALUE.")
        #expect(message("port", [Int].self)?.contains("Write --port=VALUE.") == true)
        #expect(
            message("x", Int.self)
                == "command line --set x: 'x' is a text that may be secret; expected an integer. Write decimal digits.")
        store.declare(TypedKey<Int>("port"), TypedKey<Bool>("debug", expected: "false") { !$0 })
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .ignored) }
        #expect(
            errors?.lines == """
                command line --debug: 'debug' is the boolean true; expected false. Change the value.
                command line --port: 'port' has no value; expected an integer. Write --port=VALUE.
                """)
    }

    @Test(
        "A flag has each spelling that reaches it as a declared key",
        arguments: [
            ("dryRun", "dry-run", true), ("dry.run", "dry-run", true), ("dry_run", "dryRun", true),
            ("dry.run", "dryrun", true), ("dryRun", "dry.run", false),
        ])
    func relaxedFlags(_ row: (flag: String, spelling: String, isFlag: Bool)) throws {
        let loader = CommandLinePropertyLoader(arguments: ["--\(row.spelling)", "file"], flags: [row.flag])
        #expect(loader.remaining == (row.isFlag ? ["file"] : []))
        let value = try PropertyStore(sources: loader).values
        #expect(value == ["\(row.spelling)=\(row.isFlag ? "true" : "\"file\"")"])
    }

    @Test("Names and values are separated by bytes, even if a combining mark follows the separator")
    func marks() throws {
        let loader = CommandLinePropertyLoader(
            arguments: [
                "--a=\u{301}x", "--set", "b=\u{301}y", "--c.\u{301}d=1", "--e", "-\u{301}5", "next", "--\u{301}f=1",
            ])
        let store = try PropertyStore(sources: loader)
        #expect(store.property("a") == "\u{301}x")
        #expect(store.property("b") == "\u{301}y")
        #expect(store.property("c") == ["\u{301}d": 1])
        #expect(store.property("e") == true)
        #expect(store.property("\u{301}f") == 1)
        #expect(store.entries.count == 5)
        #expect(loader.remaining == ["-\u{301}5", "next"])
    }

    @Test("All invalid arguments are reported together, and show no values")
    func invalid() throws {
        let loader = CommandLinePropertyLoader(arguments: ["--.a=hunter2", "b", "--set", "hunter2", "--c=1", "--set"])
        for loader in [loader, loader.secret()] as [any PropertyLoader] {
            let error = #expect(throws: ConfigurationErrors.self) { try PropertyStore().apply(loader) }
            let places = error?.problems.map(\.place)
            #expect(places == ["command line argument 1", "command line --set", "command line --set"])
            #expect(error?.description.contains("hunter2") == false)
        }
        #expect(loader.remaining == ["b"])
    }

    @Test("A property that was not valid UTF-8 is refused, because its value would be another one")
    func notText() throws {
        for arguments in [["--a=\u{FFFD}"], ["--a", "x\u{FFFD}"], ["--set", "a=\u{FFFD}"], ["--\u{FFFD}=1"]] {
            let loader = CommandLinePropertyLoader(arguments: ["-v", "word\u{FFFD}"] + arguments + ["--", "\u{FFFD}"])
            let error = #expect(throws: PropertyLoadError.self) { try loader.load() }
            #expect(
                error?.description
                    == "command line argument \(2 + arguments.count): this is not valid UTF-8, or has the replacement "
                    + "character U+FFFD; expected text in UTF-8. Check the encoding of the terminal or of the script.")
            #expect(loader.remaining == ["-v", "word\u{FFFD}", "--", "\u{FFFD}"])
        }
    }

    @Test("Arguments that nothing reads are invalid where the program has no use for them, and are not shown")
    func others() {
        let arguments = ["--port", "80", "hunter2", "-v", "--help", "--", "file"]
        let loader = CommandLinePropertyLoader(arguments: arguments, passthrough: ["help"], refusesOthers: true)
        let error = #expect(throws: ConfigurationErrors.self) { try PropertyStore().apply(loader) }
        #expect(
            error?.lines == """
                command line argument 3: this is not an option; expected --name=value. \
                Put a value with blanks in quotes, and the program's own arguments after --.
                command line argument 4: this is not an option; expected --name=value. \
                Put the program's own arguments after --.
                """)
        #expect(loader.remaining == ["--help", "--", "file"])
    }
}
