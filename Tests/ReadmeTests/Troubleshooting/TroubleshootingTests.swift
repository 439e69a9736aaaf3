import Foundation
import Testing

/// The article is made from the messages that these tests produce. To write it anew, run the tests with
/// RECORD_ARTICLES=1 in the environment, and read the differences.
@Suite("The article on troubleshooting")
struct TroubleshootingTests {
    private static let file = ReadmeBlocks.root
        .appendingPathComponent("Sources/ServiceHost/ServiceHost.docc/Troubleshooting.md")

    @Test("It shows the messages of this version")
    func article() async throws {
        let text = await Self.text()
        if ProcessInfo.processInfo.environment["RECORD_ARTICLES"] != nil { try Data(text.utf8).write(to: Self.file) }
        let lines = text.components(separatedBy: "\n")
        let recorded = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self).components(separatedBy: "\n")
        for (line, old) in zip(lines, recorded) { #expect(line == old) }
        #expect(lines.count == recorded.count)
    }

    private static let all = [
        "Properties/Diagnostics/PropertyError": Trouble.values,
        "Properties/Diagnostics/PropertyLoadError": Trouble.sources,
        "ConfigurationSyntax/Errors/SyntaxError": Trouble.syntax,
        "Container/Errors/ResolutionError": Trouble.services,
    ]

    @Test("It has each reason of each public error, once")
    func isComplete() throws {
        var files: Set<String> = []
        for file in ReadmeBlocks.files(in: "Sources", ending: ".swift") {
            let source = try ReadmeBlocks.text(of: file)
            let reasons = source.matches(of: /public static let (\w+) = Reason\(/).map { String($0.1) }
            if reasons.isEmpty { continue }
            let name = String(file.dropFirst("Sources/".count).dropLast(".swift".count))
            files.insert(name)
            #expect(Self.all[name, default: []].map(\.reason).sorted() == reasons.sorted(), "\(file)")
        }
        #expect(files == Set(Self.all.keys))
    }

    @Test("Each example fails, with a message in one line that is unlike the others")
    func examples() async {
        var messages: Set<String> = []
        for trouble in Self.all.values.joined() where trouble.example != nil {
            let message = await trouble.message()
            #expect(message?.contains("\n") == false, "\(trouble.reason)")
            #expect(messages.insert(message ?? "").inserted, "\(trouble.reason)")
        }
        #expect(messages.count >= 35)
        for trouble in SyntaxTrouble.toml + SyntaxTrouble.json {
            #expect(trouble.row().contains("config."), "\(trouble.document)")
        }
    }

    private static func text() async -> String {
        var text = """
            # Troubleshooting

            Every kind of error, with an example of its message, its cause, and what to do.

            ## Overview

            A message says where the problem is, what is wrong, what was expected, and what to do, in this order. The \
            place is a file with line and column, an environment variable, an argument, or the path of services to \
            the one that failed.
            A program that starts with `container.start(sources)` reports all problems at once. `properties check FILE…` \
            reports those of files without starting the program.

            The examples are the messages of this version. Their wording may change; the `reason` of an error stays.

            ### Values of settings

            The reasons of a `PropertyError`, which `require`, `bind` and `verify` throw:


            """
        text += await sections(of: Trouble.values) + "\n"
        text += """
            ### Sources

            The reasons of a `PropertyLoadError`, which a loader throws, and of the `warnings` of a store:


            """
        for trouble in Trouble.sources { text += await trouble.section() + "\n" }
        text += "Typical mistakes in TOML:\n\n| text | message |\n|---|---|\n"
        text += SyntaxTrouble.toml.map { $0.row() + "\n" }.joined()
        text += "\nTypical mistakes in JSON:\n\n| text | message |\n|---|---|\n"
        text += SyntaxTrouble.json.map { $0.row() + "\n" }.joined()
        text += """

            ### Documents without a loader

            The reasons of a `SyntaxError`, which the parsers of that module throw:


            """
        text += await sections(of: Trouble.syntax)
        text += """

            ### Services

            If a service cannot be resolved, `resolve` returns nil, and `require` throws a `ResolutionError`. Its \
            `reason` is the kind of failure, its `cause` the error that the factory or the completion threw, and its \
            `path` has the services from the one that the caller resolved to the one that failed.

            If the service itself is not registered, `resolve` returns nil without an error. If a *dependency* failed, \
            the container reports the error to your handler. Without a handler, it writes the error to the standard \
            error stream in debug builds, and does nothing in release builds.

            ```swift
            container.onFailure { error in log(error.description) }
            ```

            `start` builds all services in `.container` and reports all problems at once. A service that cannot be \
            built because of a property that is in the report does not get another line. One that is marked \
            `.onDemand()` is built when it is first resolved:

            ```swift
            container.register(Database.self) { _ in try Database() }
                .inObjectScope(.container)
                .onDemand()

            try await container.verify()
            ```

            `verify()` is for tests: [Testing](Testing.md). The reasons of a `ResolutionError`:


            """
        text += await sections(of: Trouble.services)
        return text + """

            ### When there is no error

            - **A value is not the one in the file.** `container.properties.history(of: "api.timeout")` lists the value \
            and all that it has overridden, with their places.
            - **A variable has no effect.** Its prefix is missing. With the prefix and a wrong name, it is an \
            unknown key.
            - **`property` returns nil.** It does not say why. `require` throws the reason.
            - **`resolve` returns nil.** `require` throws the reason, and `onFailure` gets it if a dependency failed.
            - **A change of a file has no effect.** No `PropertyWatcher` runs, its `onFailure` got an error, or the \
            service keeps what it has read when it was built.
            - **A changed test override has no effect.** `verify()` of the child container reports what a shared \
            service does not see.

            """
    }

    private static func sections(of troubles: [Trouble]) async -> String {
        var sections: [String] = []
        for trouble in troubles { sections.append(await trouble.section()) }
        return sections.joined(separator: "\n")
    }
}
