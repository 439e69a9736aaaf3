/// A part of the article "Troubleshooting": what the reader sees, and the errors that show it.
struct TroubleshootingPart {
    let title: String
    let text: String
    let troubles: [Trouble]
    /// Whether the tables of mistakes in files follow.
    var hasMistakes = false

    private static let warnings: Set = ["unprotected", "whiteSpace", "quotationMarks", "renamed", "ignored"]
    private static let mistakes: Set = ["syntax", "notATable", "duplicate", "unsupported", "limit"]
    private static let closings: Set = ["closed", "closeFailed", "notClosed", "neverClosed"]
    private static let holders: Set = [
        "registeredLate", "shorterLife", "sharedByChildren", "unseenOverride", "outdatedDependency",
        "replacementFailed",
    ]

    static let all = [
        TroubleshootingPart(
            title: "A setting is missing or wrong",
            text: "`require` throws a `PropertyError`. The `ConfigurationErrors` of `bind`, `verify`, a start and a "
                + "reload have it among their `problems`.",
            troubles: Trouble.values),
        TroubleshootingPart(
            title: "A source cannot be loaded", text: "A loader throws a `PropertyLoadError`.",
            troubles: Trouble.sources.filter { !(warnings.union(mistakes)).contains($0.reason) }),
        TroubleshootingPart(
            title: "A file has a mistake",
            text: "A loader throws a `PropertyLoadError`, and a parser without a loader a `SyntaxError` with one of "
                + "the reasons `.syntax`, `.duplicate`, `.unsupported` and `.limit`.",
            troubles: Trouble.sources.filter { mistakes.contains($0.reason) }, hasMistakes: true),
        TroubleshootingPart(
            title: "A line begins with `warning:`",
            text: "The service works. `warnings` of a store has the same, as values of `PropertyLoadError`.",
            troubles: Trouble.sources.filter { warnings.contains($0.reason) }),
        TroubleshootingPart(
            title: "A service cannot be built", text: service,
            troubles: Trouble.services.filter { !(closings.union(holders)).contains($0.reason) }),
        TroubleshootingPart(
            title: "A service keeps an instance that it must not keep",
            text: "`start` and `verify()` report the mistakes, and `onFailure` gets the warnings and what goes wrong "
                + "later.",
            troubles: Trouble.services.filter { holders.contains($0.reason) }),
        TroubleshootingPart(
            title: "A service or a container is closed",
            text: "`close()` returns what could not be closed, and `onFailure` gets it. A resolve throws `.closed`, "
                + "and `start` and `verify()` report `.neverClosed`.",
            troubles: Trouble.services.filter { closings.contains($0.reason) }),
    ]

    private static let service = """
        `require` throws a `ResolutionError`. Its `path` has the services, from the service that you resolved to the \
        service that failed, and its `cause` is the error that the factory or the completion threw. `resolve` returns nil \
        instead. If a dependency failed, your handler gets the error. Without a handler, debug builds write it to the \
        standard error stream, and release builds do nothing.

        ```swift
        container.onFailure { error in log(error.description) }
        ```

        `start` builds all services in `.container`, except with `.onDemand()`, and reports all problems at once. A \
        service that fails because of a property in the report does not get another line. In tests, `verify()` builds \
        the services of the other scopes, too: [Testing](Testing.md).
        """

    /// What has no message.
    static let silent = """
        ### Nothing is reported, and it is still wrong

        - **A value is not the value in your file.** `your-service settings explain NAME` prints where each value \
        comes from: [Ask a service](Answers.md). In your code, print \
        `container.properties.history(of: "api.timeout")`.
        - **A variable has no effect.** Add its prefix. If your environment has no prefix, declare the setting. \
        With the prefix and a wrong name, you get an unknown key.
        - **`property` or `resolve` returns nil.** Call `require`, which throws the reason.
        - **A change of a file has no effect.** Run a `PropertyWatcher`. If one runs, its `onFailure` got an error, \
        or the service keeps what it has read when it was built: see [Reload settings](Reloading.md).
        - **An override in a child has no effect.** See `.unseenOverride` above.
        - **ThreadSanitizer reports a race at a lock of this package.** It does not know the locks of the standard \
        library of Swift. Run `swift test --sanitize thread -Xswiftc -DTHREAD_SANITIZER`: the package then takes locks \
        of the C library. For AddressSanitizer, pass no flag.

        """
}
