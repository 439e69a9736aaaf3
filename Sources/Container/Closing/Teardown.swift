import SharedState

/// Shared instances that are removed in one step, also from several containers, and closed one after another: each
/// before the instances that it was built from.
///
/// The hooks, and the release of the instances after the last hook, are user code. Each runs in a frame, so that a
/// service is not built again for its own closing.
///
/// There is one for each `close()`, each reset, each `removeAll()`, each drain time that is over, and each construction
/// that has failed. These have none:
///
/// - an instance that the container does not keep, such as in a weak scope;
/// - an instance without hooks whose service is registered again;
/// - an instance whose successor is the same object;
/// - the instances of a container that is closed while none of them has hooks and no work is pending.
final class Teardown: @unchecked Sendable {
    // @unchecked: one thread or one task at a time uses it. A hook that goes on after its deadline uses nothing that
    // changes.

    /// The instances, in the order of closing.
    private var items: [Departed] = []
    /// The hooks that have not run, from the last to the first.
    private var hooks: [Hook] = []
    /// The containers where it is pending work, until the last hook has run.
    private let pendingIn: [Container]
    /// The same containers, each once, as soon as hooks run.
    private var recording: [Container] = []
    /// Whether lookups of a closing container find each instance until its own hooks run.
    private let areFound: Bool
    /// The instance of another teardown for whose hooks the next hook waits, or nil.
    private(set) var blocker: SharedInstance?
    /// The frame that has led to it.
    private let parent: Frame?
    /// The `id` of each instance whose closing has failed or is late.
    private var unclosed: Set<UInt64> = []

    /// A closure of `onClose`, with the instance that it closes. After a deadline, it may run when the item has been
    /// released.
    struct Hook {
        let item: Departed
        let instance: StoredInstance
        let closure: CloseClosure

        var isSynchronous: Bool { if case .synchronous = closure { true } else { false } }
    }

    /// Takes over instances that have left their registries.
    ///
    /// - Parameters:
    ///   - departed: the instances.
    ///   - pendingIn: the containers where it is pending work.
    ///   - areFound: whether lookups find each instance until its own closing begins.
    init(of departed: [Departed], pendingIn: [Container], areFound: Bool = false) {
        parent = Frame.current
        (self.pendingIn, self.areFound) = (pendingIn, areFound)
        items = departed.filter { $0.instance != nil }
        if items.count > 1 { items = items.map(\.shared).closingOrder.map { items[$0] } }
        for item in items.reversed() where item.shared.registration.isKept {
            guard let instance = item.instance else { continue }
            hooks += item.shared.registration.options.life.closures.map {
                Hook(item: item, instance: instance, closure: $0)
            }
        }
    }
}

// MARK: - Hooks

extension Teardown {
    /// Takes the next hook whose instance is held by no other instance that is being closed. From then on, lookups do
    /// not find its instance.
    ///
    /// - Returns: the hook, or nil if all that are left wait for hooks of other teardowns.
    func takeHook() -> Hook? {
        let others = recording.map { container in
            container.registry.withRead {
                $0.life.closing.pendingWork.others(besides: ObjectIdentifier(self), except: hasLed)
            }
        }
        let isAlone = others.allSatisfy(\.open.isEmpty)
        let index =
            isAlone
            ? hooks.indices.last : indexOfFreeHook(besides: others.flatMap(\.open), through: others.flatMap(\.all))
        if index != nil { blocker = nil }
        if !isAlone { change { [id = ObjectIdentifier(self), blocker] in $0.set(blocker: blocker?.id, of: id) } }
        guard let index else { return nil }
        let hook = hooks.remove(at: index)
        hide(hook.item)
        return hook
    }

    /// The index of the next hook whose instance is held by none of the others, nor by an instance with an earlier hook.
    /// If there is none, sets the blocker of the first.
    private func indexOfFreeHook(besides others: [SharedInstance], through all: [SharedInstance]) -> Int? {
        let holders = Holders(of: items.map(\.shared) + all, in: recording)
        var waiting: [SharedInstance] = []
        for index in hooks.indices.reversed() {
            let shared = hooks[index].item.shared
            if waiting.contains(where: { $0 === shared }) { continue }
            guard let holder = holders.holder(of: shared, among: others + waiting) else { return index }
            if waiting.isEmpty { blocker = holder }
            waiting.append(shared)
        }
        return nil
    }

    /// Whether a hook of the instances of another teardown has led to this one, which therefore must not wait for it.
    private func hasLed(_ instances: [SharedInstance]) -> Bool {
        parent?.chain.contains { frame in
            frame.role == .closing && frame.isActive && instances.contains { frame.isOf($0) }
        } == true
    }

    /// Takes the next hook, and waits until there is one.
    ///
    /// - Parameter deadline: the time after which the next hook is taken in any case, or nil. Then the blocker stays set.
    /// - Returns: the hook, or nil if none is left.
    func nextHook(before deadline: Deadline? = nil) async -> Hook? {
        while let hook = hooks.last {
            if let hook = takeHook() { return hook }
            let signal = Signal<Void>()
            change { $0.signalHook(signal) }
            // Once more, because the other hooks may have ended before the signal was recorded.
            if let hook = takeHook() { return hook }
            guard let deadline else {
                _ = await signal.value()
                continue
            }
            let awaited = blocker
            if let awaited { hook.item.container.begin(closing: awaited) }
            let isLate = await signal.value(before: deadline) == nil
            if let awaited { hook.item.container.end(closing: awaited) }
            if isLate {
                hooks.removeLast()
                hide(hook.item)
                return hook
            }
        }
        return nil
    }

    /// Changes the pending work of the containers that know the hooks.
    private func change(_ change: (inout PendingWork) -> Void) {
        for container in recording { container.registry.withWrite { change(&$0.life.closing.pendingWork) } }
    }

    private func hide(_ item: Departed) {
        if areFound { item.container.registry.withWrite { $0.hide(item.shared) } }
    }

    /// Records the hooks, so that `close()` waits for them, also after the deadline of a `close(_:timeout:)`, and can name
    /// those for which it waits in vain.
    func recordHooks() {
        if items.isEmpty { return }
        let open = hooks.reversed().map(\.item.shared), id = ObjectIdentifier(self)
        let instances = items.map(\.shared)
        recording = Dictionary(pendingIn.map { (ObjectIdentifier($0), $0) }) { $1 }.map(\.value)
        change { open.isEmpty ? $0.keep(instances) : $0.begin(open, of: id, instances) }
    }

    func forget(_ hook: Hook) {
        let (shared, id) = (hook.item.shared, ObjectIdentifier(self))
        for container in recording {
            let ended = container.registry.withWrite { $0.life.closing.pendingWork.endHook(of: shared, in: id) }
            for signal in ended.signals { signal.send(()) }
        }
    }

    func frame(of item: Departed) -> Frame {
        Frame(item.shared.registration, for: item.container, after: parent, .closing)
    }

    /// Makes a hook that was taken the next one again.
    func putBack(_ hook: Hook) { hooks.append(hook) }

    /// Whether hooks have not been taken.
    var hasHooks: Bool { !hooks.isEmpty }

    /// Whether the closing of an instance has failed or is late.
    func isUnclosed(_ shared: SharedInstance) -> Bool { unclosed.contains(shared.id) }

    /// Reports the error of a hook, if there is one.
    func report(_ error: ResolutionError?, of hook: Hook) {
        guard let error else { return }
        unclosed.insert(hook.item.shared.id)
        hook.item.container.report(error)
    }

    /// Releases the instances. The teardown is not pending work any more.
    func release() {
        for item in items {
            item.release(in: frame(of: item))
            if item.shared.isFormer {
                item.container.endClosing(of: item.shared, isClosed: !unclosed.contains(item.shared.id))
            }
        }
        items = []
        for container in pendingIn { container.endPendingWork() }
    }
}
