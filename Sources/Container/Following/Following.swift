import SharedState
import Synchronization

/// The state of the services of a container that follow their settings. Its lock guards it.
struct FollowingState {
    /// Nil until such a service is registered.
    var observation: SettingsObservation?
    /// Whether a task compares the instances with the properties.
    var isComparing = false
    /// Whether something has changed since that task last compared them.
    var isChanged = false
    /// Increases with each change of the properties.
    var change = 0
    /// The replacements that are being built, or whose `onReplace` runs.
    var replacements: [Replacement] = []
    /// The replacements that could not be built. Each is tried again after the next change of the properties.
    var failed: [Replacement] = []
    /// The number of the last exchange.
    var exchanges = 0
}

/// Calls a function after each change of a store or of a store above it, until it is deallocated.
final class SettingsObservation: Sendable {
    private let observers: [(store: PropertyStore, number: Int)]

    init(of store: PropertyStore, _ action: @escaping @Sendable () -> Void) {
        observers = sequence(first: store, next: \.parent).map { ($0, $0.addObserver(action)) }
    }

    deinit { for observer in observers { observer.store.removeObserver(observer.number) } }
}

/// Following services that are replaced together, because they hold each other: the former instances, and the new ones
/// until they become the current ones.
final class Replacement: Sendable {
    /// The number of the change of the properties after which it began.
    let change: Int
    private let ids: Set<ObjectIdentifier>
    private let state: Lock<State>

    private struct State {
        /// The former instances.
        var former: [SharedInstance]
        /// The registrations of the services, and those that forward to them. Factories of the replacement get the new
        /// instances of these.
        var registrations: [ServiceKey: Registration]
        /// The new instances, complete or under construction.
        var instances: [ObjectIdentifier: SharedInstance] = [:]
        var isOver = false
        var isEnding = false
        var task: Task<Void, Never>?
    }

    init(of former: [SharedInstance], among all: [Registration], after change: Int) {
        let ids = Set(former.map { ObjectIdentifier($0.registration) })
        let concerned = all.filter { ids.contains(ObjectIdentifier($0.target ?? $0)) }.map { ($0.key, $0) }
        (self.change, self.ids) = (change, ids)
        state = Lock(State(former: former, registrations: Dictionary(concerned) { $1 }))
    }

    func contains(_ registration: Registration) -> Bool { ids.contains(ObjectIdentifier(registration)) }

    /// Whether it replaces one of some services.
    func concerns(_ services: [SharedInstance]) -> Bool { services.contains { contains($0.registration) } }

    func registration(of key: ServiceKey) -> Registration? { state.withLock { $0.registrations[key] } }

    var former: [SharedInstance] { state.withLock { $0.former } }
    var instances: [SharedInstance] { state.withLock { Array($0.instances.values) } }
    /// Whether it has ended, or another one is built in its place.
    var isOver: Bool { state.withLock { $0.isOver } }
    /// Whether its construction has succeeded or failed, and the user code that follows (hooks, `onReplace`) runs.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Whether it replaces the same instances, and what its new instances have read so far is equal to the current
    /// properties.
    func builds(_ services: [SharedInstance], in store: PropertyStore) -> Bool {
        let (former, instances) = state.withLock { ($0.former, Array($0.instances.values)) }
        return former.count == services.count && zip(former, services).allSatisfy { $0 === $1 }
            && instances.compactMap(\.reads).changes(in: store).isEmpty
    }

    // MARK: New instances

    func instance(of registration: Registration) -> SharedInstance? {
        state.withLock { $0.instances[ObjectIdentifier(registration)] }
    }

    func add(_ new: SharedInstance) { state.withLock { $0.instances[ObjectIdentifier(new.registration)] = new } }

    func remove(_ old: SharedInstance) {
        state.withLock { state in
            let id = ObjectIdentifier(old.registration)
            if state.instances[id] === old { state.instances[id] = nil }
        }
    }

    // MARK: Its end

    func setTask(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Marks it as over. Its task closes what it has built.
    func abandon() {
        let (task, instances) = state.withLock { state in
            state.isOver = true
            return (state.task, Array(state.instances.values))
        }
        task?.cancel()
        for shared in instances { shared.cancel() }
    }

    /// Marks it as ending, so that no other replacement of the same services begins before it has ended.
    ///
    /// - Returns: whether it was over already.
    @discardableResult
    func beginEnd() -> Bool {
        state.withLock { state in
            state.isEnding = true
            return state.isOver
        }
    }

    /// Releases everything, and returns the new instances that are still there.
    func end() -> [SharedInstance] {
        var former = State(former: [], registrations: [:])
        state.withLock { state in
            (former.isOver, former.isEnding) = (true, state.isEnding)
            swap(&former, &state)
        }
        return Array(former.instances.values)
    }
}
