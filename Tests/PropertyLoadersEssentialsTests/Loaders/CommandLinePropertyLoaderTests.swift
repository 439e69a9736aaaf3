import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The command line as a source")
struct CommandLinePropertyLoaderTests {
    static let forms: [(arguments: String, values: [String], remaining: String)] = [
        ("--api.timeout=5", ["api.timeout=\"5\""], ""),
        ("--api.timeout 5", ["api.timeout=\"5\""], ""),
        ("--set api.timeout=5", ["api.timeout=\"5\""], ""),
        ("--set=api.timeout=5", ["api.timeout=\"5\""], ""),
        ("--a=b=c", ["a=\"b=c\""], ""),
        ("--a=", ["a=\"\""], ""),
        ("--debug", ["debug=true"], ""),
        ("--debug --a 1", ["a=\"1\"", "debug=true"], ""),
        ("--offset -5 --scale -1.5e3", ["offset=\"-5\"", "scale=\"-1.5e3\""], ""),
        ("--input -", ["input=\"-\""], ""),
        ("--debug -v", ["debug=true"], "-v"),
        ("--pattern=-v", ["pattern=\"-v\""], ""),
        ("serve --port 80 now", ["port=\"80\""], "serve now"),
        ("--quiet file --port 80", ["port=\"80\"", "quiet=true"], "file"),
        ("--a 1 --a 2", ["a=\"2\""], ""),
        ("--a 1 -- --b 2 -- x", ["a=\"1\""], "-- --b 2 -- x"),
        ("--help --config path --a 1", ["a=\"1\""], "--help --config path"),
        ("--config=path", [], "--config=path"),
        ("", [], ""),
    ]

    @Test("Each form of argument becomes a property or a remaining argument", arguments: forms)
    func form(_ row: (arguments: String, values: [String], remaining: String)) throws {
        let loader = CommandLinePropertyLoader(
            arguments: row.arguments.split(separator: " ").map(String.init), flags: ["quiet"],
            passthrough: ["help", "config"])
        #expect(try PropertyStore(sources: loader).values == row.values)
        #expect(loader.remaining.joined(separator: " ") == row.remaining)
    }

    static let mistakes: [(arguments: [String], message: String)] = [
        (
            ["--set"],
            "command line --set: nothing follows; expected a name, = and a value. Write --set name=value."
        ),
        (
            ["--set", "x", "y"],
            "command line --set: argument 3 has no =; expected a name, = and a value. Write --set name=value."
        ),
        (
            ["--set=db.password:hunter2"],
            "command line --set: argument 2 has no =; expected a name, = and a value. Write --set name=value."
        ),
        (["--=5"], "command line argument 2: this is not a valid name of a property; \(expected)"),
        (["---x"], "command line argument 2: this is not a valid name of a property; \(expected)"),
        (["--a..b=secret"], "command line argument 2: this is not a valid name of a property; \(expected)"),
        (["--set", ".a=secret"], "command line argument 3: this is not a valid name of a property; \(expected)"),
        (
            ["--api=1", "--api.timeout=5"],
            "command line --api.timeout: this name is set twice, or is a value in one place and a table in another "
                + "(the other is command line --api). Leave one of them out."
        ),
    ]
    static let expected =
        "expected a name such as api.timeout, with no dot or dash at its start, and no dot at its end. "
        + "Put the program's own arguments after --."

    @Test("An invalid argument is an error with a remedy", arguments: mistakes)
    func mistake(_ row: (arguments: [String], message: String)) throws {
        let loader = CommandLinePropertyLoader(arguments: ["more"] + row.arguments)
        let error = loadError { try loader.load() }
        #expect(error?.description == row.message)
        #expect(loader.remaining.first == "more")
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
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(
            errors?.lines == """
                command line --debug: 'debug' is the boolean true; expected false. Change the value.
                command line --port: 'port' has no value; expected an integer. Write --port=VALUE.
                """)
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
}
