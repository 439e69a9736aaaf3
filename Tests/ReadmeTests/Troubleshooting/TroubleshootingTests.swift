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
        "Container/Core/Errors/ResolutionError": Trouble.services,
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

            With this page you find the cause of an error and its remedy, by the reason of the error or by its message.

            ## Overview

            A message says where the problem is, what is wrong, what was expected, and what to do, in this order. The \
            place is a file with line and column, an environment variable, an argument, or the path of services to \
            the service that failed.

            If your program starts with `container.start(sources)`, it reports all problems at once. If you want to \
            check files without starting the program, run `properties check FILE…`.

            The examples are the messages of this version. Their wording may change. In your code, compare the \
            `reason` of an error, which stays.

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
            `reason` is the kind of failure. Its `cause` is the error that the factory or the completion threw. Its \
            `path` has the services, from the service that you resolved to the service that failed.

            If the service itself is not registered, `resolve` returns nil without an error. If a *dependency* failed, \
            the container reports the error to your handler. If you have no handler, debug builds write the error to \
            the standard error stream, and release builds do nothing.

            ```swift
            container.onFailure { error in log(error.description) }
            ```

            `start` builds all services in `.container` and reports all problems at once. If a service cannot be \
            built because of a property that is in the report, it does not get another line. If you mark a service \
            with `.onDemand()`, it is built when it is first resolved:

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

            - **A value is not the value in your file.** Print `container.properties.history(of: "api.timeout")`. It lists \
            the value and all values that it has overridden, with their places.
            - **A variable has no effect.** Add its prefix. If your environment has no prefix, declare the setting. \
            With the prefix and a wrong name, you get an unknown key.
            - **`property` returns nil.** It does not say why. Call `require`, which throws the reason.
            - **`resolve` returns nil.** Call `require`, which throws the reason. If a dependency failed, `onFailure` \
            gets it, too.
            - **A change of a file has no effect.** Run a `PropertyWatcher`. If one runs, its `onFailure` got an error, \
            or the service keeps what it has read when it was built: see `followsSettings`.
            - **ThreadSanitizer reports a race at a lock of this package.** It does not know the locks of the standard \
            library of Swift. Run `swift test --sanitize thread -Xswiftc -DTHREAD_SANITIZER`: the package then takes locks \
            of the C library. For AddressSanitizer, pass no flag.
            - **An override in a child has no effect.** A shared service of the parent takes its dependencies from the \
            parent. `onFailure` got `.unseenOverride` for it. Make a container for each test: [Testing](Testing.md).

            """
    }

    private static func sections(of troubles: [Trouble]) async -> String {
        var sections: [String] = []
        for trouble in troubles { sections.append(await trouble.section()) }
        return sections.joined(separator: "\n")
    }
}
