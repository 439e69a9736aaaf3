import Foundation
import PropertyLoaders

/// `properties watch FILE…`
struct WatchCommand: Command {
    static let name = "watch"
    static let synopsis = "watch FILE…"
    static let summary = "Prints changes of the files' properties as they come, until it is interrupted."
    static let options = LazyStore.options

    private let store: LazyStore

    init(_ arguments: Arguments) throws {
        store = try LazyStore(arguments.words, arguments)
    }

    func run() async throws -> Int32 {
        Self.endAtSignals()
        let store = try store.loaded()
        let changes = store.changes()
        let watcher = PropertyWatcher(store) { Output.failure($0) }
        Output.line("watching \(Output.count(of: store)); Control-C ends it")
        try await withThrowingTaskGroup { group in
            group.addTask { try await watcher.run() }
            group.addTask { for await set in changes { set.forEach { Output.line($0.description) } } }
            try await group.waitForAll()
        }
        return Tool.Status.ok
    }

    /// Makes Control-C, and what ends a process kindly, end this one well.
    ///
    /// A handler needs no descriptor and no thread, of which there may be none left. All output is written by then.
    private static func endAtSignals() {
        for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(EXIT_SUCCESS) } }
    }
}
