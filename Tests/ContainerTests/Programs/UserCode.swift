import Container
import Synchronization

/// A place at which a container runs user code.
enum Place: Int, CaseIterable {
    case factory, completion, hook, onReplace, failureHandler, deinitializer, reader

    /// The actions that the compiler refuses at this place. `CompileTests` shows each of them.
    var refused: [Action] {
        switch self {
        case .onReplace, .failureHandler, .deinitializer: [.throwError]
        case .factory, .completion, .hook, .reader: []
        }
    }
}

/// What user code does at a place.
enum Action: Int, CaseIterable {
    case nothing, shared, unshared, asynchronous, throwError, wait, task, detached, immediate
    case register, reset, closeChild, set, drop

    var isResolve: Bool { [.shared, .unshared, .asynchronous].contains(self) }
    var startsTask: Bool { [.task, .detached, .immediate].contains(self) }
}

/// How often each action has run at each place.
final class PairCounts: Sendable {
    private let counts = Place.allCases.map { _ in Action.allCases.map { _ in Counter() } }

    func add(_ place: Place, _ action: Action) { counts[place.rawValue][action.rawValue].increment() }

    /// The pairs that have never run although the compiler accepts them.
    var missing: [String] {
        Place.allCases.flatMap { place in
            Action.allCases.filter { counts[place.rawValue][$0.rawValue].count == 0 && !place.refused.contains($0) }
                .map { "\(place) \($0)" }
        }
    }

    /// A line for each place, with the count of each action.
    var description: String {
        Place.allCases.map { place in
            let columns = Action.allCases.map { action in
                "\(action) \(place.refused.contains(action) ? "refused" : "\(counts[place.rawValue][action.rawValue].count)")"
            }
            return "\(place): \(columns.joined(separator: ", "))"
        }.joined(separator: "\n")
    }
}
