import Foundation
import PropertyLoaders

extension Command {
    /// `properties watch FILE…`
    static let watch = Command(
        name: "watch", operands: "FILE…",
        summary: "Prints the changes of the files' properties as they happen, until it is interrupted.",
        options: StoreInput.options
    ) { arguments in
        let input = try StoreInput(arguments.words, arguments)
        if let stream = input.streams.first {
            throw UsageError("\(stream.name) cannot be watched, since it can be read only once; expected a file")
        }
        exitAtSignals()
        let store = try input.load()
        let changes = store.changes()
        let watcher = PropertyWatcher(store) { Output.failure($0) }
        Output.line("watching \(Output.count(of: store)); press Control-C to stop")
        try await withThrowingTaskGroup { group in
            group.addTask { try await watcher.run() }
            group.addTask { for await set in changes { set.forEach { Output.line($0.description) } } }
            try await group.waitForAll()
        }
        return ExitStatus.success
    }

    /// Makes SIGINT (Control-C) and SIGTERM end the process with success.
    ///
    /// It uses signal handlers, since they work even if no descriptor and no thread is free. `_exit` loses no output,
    /// because output is not buffered.
    private static func exitAtSignals() {
        for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(EXIT_SUCCESS) } }
    }
}
