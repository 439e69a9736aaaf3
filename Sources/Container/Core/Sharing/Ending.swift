import SharedState

/// A shared instance under construction, and its container.
struct Member {
    let shared: SharedInstance
    let container: Container

    /// Makes the instance available to all, and does all that remains.
    func publishAndFinish(_ instance: StoredInstance) {
        if let published = publish(instance) { published.finish() } else { Ending(failed: [self], with: nil).finish() }
    }

    /// Makes the instance available to all.
    ///
    /// - Returns: the work that the caller does when it has published all instances that become complete together. Nil if
    ///   the registry refuses the instance (`Registry.publish`): the caller lets it fail.
    fileprivate func publish(_ instance: StoredInstance) -> Published? {
        let registration = shared.registration
        var instance = instance
        instance.isPerChild = registration.isPerChild || container.isVerifying
        let reference = registration.isWeak ? WeakInstance(instance, registration.cast) : nil
        guard let result = container.registry.withWrite({ $0.publish(shared, instance, reference) }) else { return nil }
        result.former.wake()
        return Published(member: self, former: result.former, rest: result.rest)
    }
}

/// The work that remains after the publication of an instance. It is done after unlocking.
private struct Published {
    let member: Member
    /// The old phase, which is released with it.
    let former: FormerPhase
    let rest: ContainerLife.Completed

    func finish() { rest.finish(member.shared, in: member.container) }
}

/// The end of constructions: its initializer publishes the instances or lets them fail, and `finish` does the rest, when
/// all waiting threads and tasks have been notified.
struct Ending {
    private var published: [Published] = []
    private var departed: [Departed] = []

    /// Ends constructions whose members become complete, or fail, together.
    ///
    /// - Parameters:
    ///   - members: the members, in the order of the returns of their factories.
    ///   - error: the error of a completion, or nil.
    init(of members: [Member], with error: ResolutionError?) {
        if let error {
            departed = Departed.failed(members, with: error)
            return
        }
        var unwanted: [Member] = []
        for member in members {
            guard case .built(let instance) = member.shared.phase else { continue }
            if let one = member.publish(instance) { published.append(one) } else { unwanted.append(member) }
        }
        departed = Departed.failed(unwanted, with: nil)
    }

    /// Lets instances fail.
    ///
    /// - Parameters:
    ///   - members: the instances.
    ///   - error: the reason, or nil if the publication was refused: the container is closed, or the replacement is not
    ///     needed any more.
    init(failed members: [Member], with error: ResolutionError?) { departed = Departed.failed(members, with: error) }

    func finish() {
        for one in published { one.finish() }
        if !departed.isEmpty { ContainerLife.close(departed) }
    }
}

/// A shared instance that has left its registry, with what is left to close and to release: it could not be built, or it
/// was removed.
///
/// It is an object, because the last reference to the instance must be released in the frame of its closing.
final class Departed: @unchecked Sendable {
    // @unchecked: one thread or one task at a time uses it.

    let shared: SharedInstance
    let container: Container
    /// The instance until it is released. Nil if it was not built, or is in a weak scope.
    private(set) var instance: StoredInstance?

    private init(_ member: Member, _ former: FormerPhase) {
        (shared, container, instance) = (member.shared, member.container, former.instance)
    }

    /// Lets instances fail. All have failed before the threads and tasks that wait for them are woken.
    fileprivate static func failed(_ members: [Member], with error: ResolutionError?) -> [Departed] {
        departed(members) { member in member.container.registry.withWrite { $0.fail(member.shared, with: error) } }
    }

    /// Takes over complete instances that were removed from their registries.
    static func removed(_ members: [Member]) -> [Departed] { departed(members) { $0.shared.enter(.closing) } }

    private static func departed(_ members: [Member], _ leave: (Member) -> FormerPhase) -> [Departed] {
        let former = members.map(leave)
        for phase in former { phase.wake() }
        return zip(members, former).map { Departed($0, $1) }
    }

    /// Releases the instance in a frame of its closing.
    func release(in frame: Frame) {
        var instance = instance.take()
        // The `deinit` runs in the frame.
        try? ResolvingThread.current.run(frame) { instance = nil }
        if case .closing = shared.phase { withExtendedLifetime((instance, shared.enter(.closed))) {} }
    }
}
