import Dispatch
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
        let store = try store.loaded()
        let changes = store.changes()
        let watcher = PropertyWatcher(store) { Output.failure($0) }
        Output.line("watching \(Output.count(of: store)); Control-C ends it")
        await withThrowingTaskGroup { group in
            group.addTask { try await watcher.run() }
            group.addTask { for await set in changes { set.forEach { Output.line($0.description) } } }
            await Self.interruption()
            group.cancelAll()
        }
        return Tool.Status.ok
    }

    /// Waits for Control-C, or for what ends a process kindly.
    private static func interruption() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }
}
