import Properties
import PropertyLoadersEssentials
import Testing

private struct Failing: PropertyLoader {
    struct Failure: Error, CustomStringConvertible {
        let description = "no route\nto the vault"
    }
    func load() throws -> PropertyLayer { throw Failure() }
}

@Suite("The report of all problems at the start")
struct ConfigurationErrorsTests {
    @Test("The report has the true number of problems, also of those that are not kept, at every depth")
    func trueNumber() throws {
        func list(_ count: Int) -> String { "[\(Array(repeating: "\"x\"", count: count).joined(separator: ", "))]" }
        let text = "list = \(list(5000))\nlists.a = \(list(2000))\nlists.b = \(list(2000))\nport = \"x\""
        let store = PropertyStore()
        store.declare(TypedKey<[Int]>("list", default: []), TypedKey<[String: [Int]]>("lists", default: [:]))
        store.declare(TypedKey<Int>("port"))
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([TomlPropertyLoader(string: text, name: "a.toml")])
        }
        #expect(error?.description.hasPrefix("The configuration has 9,001 problems:\n") == true)
        #expect(error?.description.hasSuffix("\nThere are 8,901 more problems.") == true)
        #expect(error?.problems.count == 2001)
        let bound = #expect(throws: ConfigurationErrors.self) {
            try PropertyStore(sources: TomlPropertyLoader(string: text, name: "a.toml")).bind(
                [String: [Int]].self, at: "lists")
        }
        #expect(bound?.description.hasPrefix("The configuration has 4,000 problems:\n") == true)
        let report = try #require(error)
        #expect(ConfigurationErrors([report]).description == report.description)
        #expect(ConfigurationErrors([ConfigurationErrors([report, report])]).description == report.description)
    }

    @Test("A report in a report keeps the places of the errors of custom loaders, and its exit status")
    func nested() throws {
        let error = #expect(throws: ConfigurationErrors.self) { try PropertyStore().apply(Failing()) }
        let report = try #require(error)
        #expect(report.problems.map(\.place) == ["Failing"] && report.exitStatus == 69)
        let outer = ConfigurationErrors([report])
        #expect(outer.problems.map(\.place) == ["Failing"] && outer.exitStatus == 69)
        #expect(outer.description == report.description)
        #expect(outer.problems.first?.error is Failing.Failure)
    }

    @Test("Wrong, missing and unknown keys are one table, sorted by source and place")
    func table() throws {
        let store = PropertyStore()
        store.declare(.port, .password, TypedKey<Bool>("debug", default: false))
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start(
                [Lines("z.toml", "debug = 1\nserver.port = 0"), Lines("a.toml", "x = 1\nserver.prot = 1")],
                unknownKeys: .refused)
        }
        #expect(
            error?.description == """
                The configuration has 5 problems:
                  a.toml:1:1    'x' is neither declared nor read by a service. Check its spelling, or remove it. The developer can declare it, or allow it by unknownKeys: .ignored.
                  a.toml:2:1    'server.prot' is neither declared nor read by a service. Did you mean 'server.port'?
                  z.toml:1:9    'debug' is the integer 1; expected true or false. Write true.
                  z.toml:2:15   'server.port' is the integer 0; expected a port from 1 to 65535. Change the value.
                  in no source  'db.password' is missing; expected a string. Set it in z.toml or in a.toml.
                """)
        #expect(store.entries.isEmpty)
        #expect(error?.problems.allSatisfy { $0.error is PropertyError } == true)
    }

    @Test("Sources that cannot be loaded are reported with the wrong values of the others")
    func sources() throws {
        let store = PropertyStore()
        store.declare(.port, .password)
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start(
                [
                    Lines("b", "a = 1\na = 2"), Lines("a", "server.port = \"80\"\nunknown = 1"), Failing(),
                    Lines("c", "\nx = 1\nx = 1"),
                ], unknownKeys: .refused)
        }
        #expect(
            error?.description == """
                The configuration has 4 problems:
                  Failing  no route\\nto the vault
                  a:1:15   'server.port' is the string "80"; expected a port from 1 to 65535. Remove the quotes.
                  b:2:5    'a' is defined twice (first defined at b:1:1)
                  c:3:5    'x' is defined twice (first defined at c:2:1)
                Missing and unknown keys are checked when all sources can be loaded.
                """)
        #expect(error?.problems.first?.error is Failing.Failure)
        #expect(store.entries.isEmpty)
    }

    @Test("What has not passed the checks is never published")
    func unpublished() throws {
        let store = try PropertyStore(Literal("same", ["a": 1]), Literal("old", ["b": 1]))
        store.declare(TypedKey<Int>("a"), TypedKey<Int>("b"))
        store.declare(TypedKey<Int>("c") { $0 > 1 })
        #expect(throws: ConfigurationErrors.self) {
            try store.start([Literal("same", ["a": 2]), Literal("new", ["c": 1])])
        }
        #expect(store.listing == ["a=1", "b=1"])
        try store.start([Literal("new", ["c": 2])])
        #expect(store.listing == ["a=1", "b=1", "c=2"])
    }

    @Test("The errors of several steps become one report, without repetitions; long ones end with a number")
    func combined() throws {
        let store = try PropertyStore(Literal("s", ["a": "x"]))
        let one = #expect(throws: PropertyError.self) { try store.require("a", as: Int.self) }
        let again = #expect(throws: ConfigurationErrors.self) {
            store.declare(TypedKey<Int>("a"))
            try store.verify()
        }
        let report = ConfigurationErrors([one!, again!, ConfigurationErrors([again!])])
        #expect(report.description == #"s: 'a' is the string "x"; expected an integer. Change the value."#)
        struct Numbered: Error, CustomStringConvertible { let description: String }
        let many = ConfigurationErrors((0..<1_234).map { Numbered(description: "problem \($0)") })
        let lines = many.description.split(separator: "\n")
        #expect(lines.count == 102)
        #expect(lines.first == "The configuration has 1,234 problems:")
        #expect(lines.last == "There are 1,134 more problems.")
    }

    @Test("The exit status is EX_UNAVAILABLE if no problem is one of the configuration")
    func unavailable() throws {
        struct NoRoute: Error {}
        let key = #expect(throws: PropertyError.self) { try PropertyStore().require("a", as: Int.self) }
        #expect(ConfigurationErrors([NoRoute()]).exitStatus == 69)
        #expect(ConfigurationErrors([]).exitStatus == 69)
        #expect(ConfigurationErrors([NoRoute(), try #require(key)]).exitStatus == 78)
    }

    @Test("The report goes to the standard error stream, and the process exits with EX_CONFIG")
    func exitStatus() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(78), observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            do throws(ConfigurationErrors) {
                try PropertyStore().start([Literal(["a": 1])], unknownKeys: .refused)
            } catch {
                error.reportAndExit()
            }
        }
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            errors
                == "literal: 'a' is neither declared nor read by a service. Check its spelling, or remove it. The developer can declare it, or allow it by unknownKeys: .ignored.\n"
        )
        #expect(!String(decoding: result.standardOutputContent, as: UTF8.self).contains("problem"))
    }
}
