import Foundation
import PropertyLoaders

extension Command {
    /// `properties watch FILE…`
    static let watch = Command(
        name: "watch", operands: "FILE…",
        summary: "Prints the changes of the files' properties as they happen, until it is interrupted.",
        details: """
            With --schema it also checks the sources after each change. It prints the problems, and when there are none \
            any more. Standard input and pipes cannot be watched. With --json each change is an object on one line.
            """,
        options: StoreInput.options + [.json]
    ) { arguments in
        let input = try StoreInput(arguments.words, arguments)
        if let stream = input.streams.first {
            throw UsageError("\(stream.name) cannot be watched, since it can be read only once; expected a file")
        }
        exitAtSignals()
        let isJSON = arguments.has(.json)
        let store = try input.load()
        let changes = store.changes()
        let health = WatchedHealth(of: store, input.schema)
        let watcher = PropertyWatcher(store, onFailure: { health.report($0) }, onReload: { _ in health.report(nil) })
        let count = Output.count(store.entries.count)
        if isJSON {
            Output.error("watching \(count)")
        } else {
            Output.line("watching \(count); press Control-C to stop")
        }
        health.report(nil)
        try await withThrowingTaskGroup { group in
            group.addTask { try await watcher.run() }
            group.addTask { for await set in changes { for change in set { print(change, isJSON) } } }
            try await group.waitForAll()
        }
        return ExitStatus.success
    }

    private static func print(_ change: PropertyChange<PropertyEntry>, _ isJSON: Bool) {
        guard isJSON else {
            return Output.line("\(WatchedHealth.time) \(change.description)")
        }
        let line: PropertyValue = .members([
            ("time", .string(Date().formatted(.iso8601))), ("name", .string(change.name)),
            ("before", change.old?.json), ("after", change.new?.json),
        ])
        Output.line(JsonText.text(PropertyNode(line)))
    }

    /// Makes SIGINT (Control-C) and SIGTERM end the process with success.
    ///
    /// It uses signal handlers, since they work even if no descriptor and no thread is free. `_exit` loses no output,
    /// because output is not buffered.
    private static func exitAtSignals() {
        for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(EXIT_SUCCESS) } }
    }
}
