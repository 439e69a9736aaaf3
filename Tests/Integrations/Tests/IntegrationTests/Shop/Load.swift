import Synchronization

/// Counts the requests of several clients, and collects the wrong responses.
final class Load: Sendable {
    private struct State {
        var isOver = false
        var requests = 0
        var problems: [String] = []
    }
    private let state = Mutex(State())

    var requests: Int { state.withLock { $0.requests } }
    var problems: [String] { state.withLock { $0.problems } }

    /// Lets four clients send requests while a closure runs.
    ///
    /// - Parameters:
    ///   - port: the port of the shop.
    ///   - path: the path that they get.
    ///   - isGood: whether the body of a response is right.
    ///   - body: the closure.
    /// - Returns: the requests and the wrong responses.
    /// - Throws: the error of the closure.
    static func run(
        _ port: Int, _ path: String, isGood: @escaping @Sendable (String) -> Bool,
        during body: (Load) async throws -> Void
    ) async throws -> Load {
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await onThread { load.send(port, path, isGood) } } }
            defer { load.state.withLock { $0.isOver = true } }
            try await body(load)
        }
        return load
    }

    private func send(_ port: Int, _ path: String, _ isGood: (String) -> Bool) {
        do {
            let client = try LoopbackClient(port: port)
            while !state.withLock({ $0.isOver }) {
                let response = try client.get(path)
                let isGood = response.status == 200 && isGood(response.body)
                state.withLock { state in
                    state.requests += 1
                    if !isGood { state.problems.append("\(response)") }
                }
            }
        } catch {
            state.withLock { $0.problems.append("\(error)") }
        }
    }
}
