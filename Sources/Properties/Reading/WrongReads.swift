import SharedState
import Synchronization

/// Reports reads by `property` that have probably returned nil by mistake, once for each place and type: the value is
/// wrong, or a variable or an argument was probably meant to set it.
final class WrongReads: Sendable {
    private struct Read: Hashable {
        let place: String
        let type: ObjectIdentifier
    }
    private struct State {
        var handler: (@Sendable (PropertyError) -> Void)?
        var reported: Set<Read> = []
    }
    private let state = Lock(State())
    /// The number of reports after which nothing is reported.
    private static var limit: Int { 100 }

    /// Whether a handler is set.
    var hasHandler: Bool { state.withLock { $0.handler != nil } }

    func setHandler(_ handler: (@Sendable (PropertyError) -> Void)?) {
        // The old handler is released after unlocking: see `Lock`.
        var former = handler
        state.withLock { swap(&$0.handler, &former) }
    }

    /// Reports the error of a read, unless one of the same place and type was reported.
    func report<T>(_ error: PropertyError, as type: T.Type) {
        let read = Read(place: "\(error.name) \(error.origin.map { "\($0)" } ?? "")", type: ObjectIdentifier(type))
        let (isNew, handler) = state.withLock { state in
            let isNew = state.reported.count < Self.limit && state.reported.insert(read).inserted
            return (isNew, state.handler)
        }
        guard isNew else { return }
        if let handler { return handler(error) }
        StandardError.writeLine(error.textOfRead)
    }
}

extension PropertyError {
    /// The description of the error of a read that has returned nil and has not thrown it.
    package var textOfRead: String { reason == .unknownKey ? description : "\(self) It was read as nil." }
}
