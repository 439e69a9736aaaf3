import SharedState
import Synchronization

/// The shared instances that one thread or task builds and that are not complete yet.
///
/// The construction of a task has one instance, which becomes complete alone. The next paragraphs are about threads.
///
/// A construction starts when a thread that builds no shared instance begins to build one, and ends with this instance:
/// when its factory and all completions have run. Then all members become complete. A member that has no completions and
/// has taken nothing incomplete is complete at once. Nobody else gets any other member before the end, with one
/// exception: if two threads need members of each other, both would wait for ever. So their constructions become one
/// group. Each may use the members of the other whose factories have returned, and all become complete
/// together.
///
/// The thread runs the factories and the completions of all its members itself.
final class Construction: @unchecked Sendable {
    // @unchecked: only the thread of the construction uses `members`, `graphs`, `completions` and `incompleteCount`. From
    // its end in a group until the group ends, only the thread that ends the group uses `members`. `group`, `groupEnd` and
    // `waits` are used under the lock of `Waits`, and by the thread that ends the group, when no thread of it can change
    // them any more.
    // The lock of `Waits` orders all of this.

    /// The instances whose factories have begun. An instance that fails or is complete before the others is removed.
    private var members: [Member] = []
    /// The graphs of the members whose factories have returned.
    private var graphs: [Graph] = []
    /// The completions of the members, and of the unshared instances in their graphs.
    private var completions = Completions()
    /// Counts why instances must wait for the end of the construction: a factory or a completion has got an instance
    /// that is not complete, or has left a completion. If the number grows while a factory runs, the factory's instance
    /// must wait for the end, too.
    private var incompleteCount = 0
    /// The constructions that have become one with this construction, or nil.
    var group: Group?
    /// Whether there is a group, so that a construction that has never waited does not take the lock. It becomes true
    /// while the thread waits.
    let isInGroup = Atomic(false)
    /// Sent when the group ends. Nil unless there is one.
    var groupEnd: Signal<Outcome>?
    /// The instances for which the construction waits. Only a task can wait for several.
    var waits: [Wait] = []

    /// How a construction has ended for its thread.
    enum Outcome {
        /// Its members are complete.
        case complete
        /// All of its members have failed.
        case failed
        /// Its group has not ended yet, so the thread asks for its instance again. That request blocks in
        /// `Waits.block`, where the other threads can see the wait.
        case undecided
    }

    /// Whether another construction is this construction, or has become one with it. The caller holds the lock of
    /// `Waits`.
    func isMerged(with other: Construction) -> Bool { self === other || group != nil && group === other.group }

    /// Returns the member of a registration, also if a reset has removed it meanwhile, so that services which need each
    /// other get the same instances.
    func member(of registration: Registration, in container: Container) -> SharedInstance? {
        members.last { $0.shared.registration === registration && $0.container === container }?.shared
    }

    /// Whether a member stands in the place of a complete instance of the same registration: a reset has removed the member
    /// meanwhile, or it is to replace the instance, which follows its settings. All other instances that are older than the
    /// first member have no such member.
    func hasMember(inPlaceOf shared: SharedInstance) -> Bool {
        guard let first = members.first?.shared.id, shared.id > first || shared.registration.follows else {
            return false
        }
        return members.contains {
            $0.shared.registration === shared.registration && $0.shared.containerID == shared.containerID
        }
    }
}

// MARK: - Building

extension Construction {
    /// Builds a shared instance on this thread. If it is the outermost instance of the thread, the construction ends.
    ///
    /// - Parameters:
    ///   - shared: the instance, which the caller has claimed.
    ///   - request: the request for it.
    ///   - thread: this thread.
    /// - Returns: the instance, or nil if the construction is in a group that has not ended, or that has failed by a
    ///   completion of another construction. Then the caller asks again.
    /// - Throws: the error of the factory, or of a completion of the construction.
    func build(
        _ shared: SharedInstance, _ request: Request, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance? {
        if thread.construction != nil { return try buildMember(shared, request, on: thread) }
        thread.construction = self
        var instance: StoredInstance?
        var factoryError: ResolutionError?
        do throws(ResolutionError) {
            instance = try buildMember(shared, request, on: thread)
        } catch {
            factoryError = error
        }
        // Most constructions have one instance. `buildMember` has published it, or it has failed, so nothing else is left.
        if incompleteCount == 0, !isInGroup.load(ordering: .acquiring) {
            thread.construction = nil
            if let factoryError { throw factoryError }
            return instance
        }
        let completionError = runCompletions(on: thread)
        var remains = takeRemains()
        // Code that runs from here on belongs to no construction.
        thread.construction = nil
        let (outcome, ending) = end(completionError, on: thread)
        if case .complete = outcome {
            remains.release()
        } else {
            // Failed: the teardown has the last references to the instances. Undecided: the caller asks again, so
            // nothing is kept here.
            thread.release(shared, of: request.owner) {
                remains.release()
                instance = nil
            }
        }
        ending?.finish()
        if let error = factoryError ?? completionError { throw error }
        return instance
    }

    /// Runs the factory of a shared instance in a graph of its own. The instance becomes a member of the construction,
    /// or is published if it is complete.
    ///
    /// - Returns: the instance.
    private func buildMember(
        _ shared: SharedInstance, _ request: Request, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance {
        let (graph, owner) = (Graph(of: shared, in: self), request.owner)
        let request = request.ofFactory
        let start = incompleteCount
        let member = Member(shared: shared, container: owner)
        members.append(member)
        let instance: StoredInstance
        do throws(ResolutionError) {
            instance = try request.runFactory(in: graph, on: thread)
            shared.enter(.built(instance)).wake()
        } catch {
            removeMember(shared)
            let ending = Ending(failed: [member], with: error)
            // The rest of its graph is not needed.
            thread.release(shared, of: owner) {
                let removed = completions.remove(of: graph)
                graph.forgetAll()
                withExtendedLifetime(removed) {}
            }
            ending.finish()
            throw error
        }
        if !shared.registration.completions.isEmpty || incompleteCount != start {
            graphs.append(graph)
            request.scheduleCompletions(of: instance, in: graph)
            recordIncomplete()
            return instance
        }
        removeMember(shared)
        graph.resolveDeferred()
        member.publishAndFinish(instance)
        graph.forgetAll()
        return instance
    }

    // It is usually the last one. A search of all would take a time proportional to the square of the depth of a chain.
    private func removeMember(_ shared: SharedInstance) {
        if let index = members.lastIndex(where: { $0.shared === shared }) { members.remove(at: index) }
    }

    /// Records that a caller got an instance that is not complete, or has left a completion for the end.
    func recordIncomplete() { incompleteCount += 1 }

    /// Adds the completions of an instance, which run at the end.
    func add(_ completion: Completion) {
        completions.add(completion)
        recordIncomplete()
    }
}

// MARK: - The end

extension Construction {
    /// Runs the completions until one throws, and returns its error. The remaining completions do not run then.
    private func runCompletions(on thread: ResolvingThread) -> ResolutionError? {
        do throws(ResolutionError) {
            while let completion = completions.take() { try completion.run(on: thread) }
            return nil
        } catch {
            return error
        }
    }

    /// Takes the graphs and the completions, and sets the instances of the deferred services (`Lazy`, `Provider`) of the
    /// graphs, before other threads and tasks get the members.
    private func takeRemains() -> Remains {
        var remains = Remains()
        (remains.graphs, graphs) = (graphs, [])
        (remains.completions, completions) = (completions, Completions())
        for graph in remains.graphs { graph.resolveDeferred() }
        return remains
    }

    /// The graphs and the completions of a construction that has ended.
    private struct Remains {
        var graphs: [Graph] = []
        var completions = Completions()

        mutating func release() {
            for graph in graphs { graph.forgetAll() }
            self = Remains()
        }
    }

    /// Ends the construction when its thread has run all its factories and completions. In a group, the last
    /// construction ends all of them, and the others wait for the end. A thread in the middle of another construction
    /// does not wait here: it asks for its instance again, so that this wait is known to everyone who needs the other
    /// construction. So the error of a factory is thrown only after the end of its group.
    ///
    /// - Parameters:
    ///   - completionError: the error of a completion, or nil.
    ///   - thread: this thread.
    /// - Returns: the outcome, and the remaining work.
    private func end(_ completionError: ResolutionError?, on thread: ResolvingThread) -> (Outcome, Ending?) {
        if !isInGroup.load(ordering: .acquiring) { return Self.endAll([self], completionError) }
        let (group, groupEnd) = Waits.recordEnd(of: self, completionError)
        if let group { return Self.endAll(group.constructions, group.completionError) }
        // Its own construction is not among these any more, so they are the outer ones.
        if !thread.constructions.isEmpty { return (.undecided, nil) }
        return (groupEnd?.block() ?? .undecided, nil)
    }

    /// Makes the members available to all, or removes them. All waiting threads and tasks are notified before the first
    /// hook runs.
    private static func endAll(
        _ constructions: [Construction], _ completionError: ResolutionError?
    ) -> (Outcome, Ending?) {
        let outcome = completionError == nil ? Outcome.complete : .failed
        // Most constructions have one instance, which is complete already.
        if constructions.count == 1, constructions[0].members.isEmpty { return (outcome, nil) }
        var members: [Member] = []
        for one in constructions {
            members += one.members
            one.members = []
        }
        members.sort { $0.shared.completionOrder < $1.shared.completionOrder }
        let ending = Ending(of: members, with: completionError)
        for one in constructions { one.groupEnd?.send(outcome) }
        return (outcome, ending)
    }
}
