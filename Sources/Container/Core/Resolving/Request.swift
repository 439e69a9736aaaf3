import SharedState

/// One resolve of a registration that has a factory.
///
/// | the service is resolved | `container` | `home` | `owner` |
/// |---|---|---|---|
/// | from the container that has the registration | this one | this one | this one |
/// | from a child of it | the child | the parent | the parent |
/// | from a child, in the scope `.child` | the child | the parent | the child |
/// | from the child of a `verify()` | the child | the parent | the child, but in `.container` the parent |
///
/// In a factory, `parent` is its frame, and `dependent` is the shared instance that it is part of, or nil.
struct Request {
    let registration: Registration
    /// The container that the caller resolves from: its registrations override those of its parents.
    let container: Container
    /// The container where the lookup has found the registration: `container`, or one of its parents.
    let home: Container
    /// The runtime arguments, whose types are in the key, or nil if there are none.
    let arguments: RuntimeArguments?
    /// The requester of the service, or nil.
    let parent: Frame?
    /// The shared instance that depends on the service, or nil.
    var dependent: SharedInstance?
    /// How that instance gets the service.
    var kind = Dependency.Kind.instance
    /// The number of frames that have led to this request, if it has no parent because a task builds the service.
    var levelsAbove = 0

    /// The services that have led to this request, and the requested service.
    var path: [ServiceKey] { parent.path(to: registration.key) }

    /// The container that keeps the shared instance, and from which its factory resolves: `container` in the scope
    /// `.child`, and otherwise `home`. In a child for `verify()`, it is `container` in all scopes but `.container`.
    var owner: Container {
        registration.isPerChild || container.isVerifying && registration.isPerVerification ? container : home
    }

    /// The request for the factory of a shared instance, which resolves from the owner.
    var ofFactory: Request {
        let owner = owner
        return Request(
            registration: registration, container: owner, home: owner, arguments: arguments,
            parent: registration.isAsync ? nil : parent, levelsAbove: parent?.level ?? levelsAbove)
    }

    /// Whether a key still leads to the registration.
    ///
    /// - Parameter own: the registration that the key leads to in the registry of the owner, whose lock the caller holds.
    /// - Returns: whether an instance may be built from it.
    func isRegistered(as own: Registration?) -> Bool {
        if owner === home { return own === registration }
        return own == nil && home.registry.withRead { $0.registration(of: registration.key) } === registration
    }

    /// The error of a synchronous resolve that would have to wait for a task.
    var asynchronous: ResolutionError {
        ResolutionError(
            .asynchronous, path: path,
            detail: registration.isShared && !registration.isPerChild ? "and does not exist yet" : nil)
    }

    func tooDeep(_ limit: String) -> ResolutionError {
        ResolutionError(.tooDeep, path: path, detail: limit)
    }

    var circular: ResolutionError {
        ResolutionError(.circular, path: path, detail: registration.isAsync ? "asynchronous" : nil)
    }
}

// MARK: - Unshared instances

extension Request {
    /// Returns an unshared instance: the instance in the graph, or a new instance.
    func unshared(in graph: Graph, on thread: ResolvingThread) throws(ResolutionError) -> StoredInstance {
        if let found = find(in: graph) { return found }
        if registration.isAsync { throw asynchronous }
        return try keep(runFactory(in: graph, on: thread), in: graph)
    }

    /// Returns the instance of a graph, or nil if there is none. A transient service has a new instance each time.
    func find(in graph: Graph) -> StoredInstance? {
        registration.options.scope == .transient
            ? nil : graph.find(registration, for: container, arguments)
    }

    /// Keeps a new unshared instance in its graph, together with its completions.
    func keep(_ instance: StoredInstance, in graph: Graph) throws(ResolutionError) -> StoredInstance {
        if !registration.completions.isEmpty {
            try parent.check(.completion, of: registration, for: container)
            scheduleCompletions(of: instance, in: graph)
        }
        if registration.options.scope != .transient {
            graph.keep(instance, of: registration, for: container, arguments)
        }
        return instance
    }

    /// Schedules the completions of an instance: at the end of the construction of the graph, or when the outermost factory
    /// of the graph has returned.
    func scheduleCompletions(of instance: StoredInstance, in graph: Graph) {
        if registration.completions.isEmpty { return }
        graph.add(
            Completion(
                registration: registration, instance: instance, container: container, graph: graph, parent: parent))
    }

    /// Runs the synchronous factory.
    func runFactory(in graph: Graph, on thread: ResolvingThread) throws(ResolutionError) -> StoredInstance {
        guard case .factory(let factory) = registration.source else { throw asynchronous }
        try parent.check(.factory, of: registration, for: container)
        let frame = Frame(registration, for: container, in: graph, after: parent, .factory, above: levelsAbove)
        if frame.level > Frame.maximumLevels { throw tooDeep("than \(Frame.maximumLevels)") }
        if !thread.hasRoom(onLevel: frame.level) { throw tooDeep("than the stack of the thread has room for") }
        do {
            return try thread.run(frame, in: graph) {
                try factory(Resolver(container: container, frame: frame, graph: graph), arguments?.stored)
            }
        } catch {
            throw ResolutionError(.factoryFailed, of: error, path: frame.path)
        }
    }
}

// MARK: - Shared instances

extension Request {
    /// Returns the shared instance. If it does not exist, this thread builds it, or waits for the thread that does.
    ///
    /// - Returns: the instance, or nil if the registration has been replaced meanwhile. Then the caller asks again.
    func shared(on thread: ResolvingThread) throws(ResolutionError) -> StoredInstance? {
        while true {
            // First the member of this thread's construction, which a reset may have removed from the registry.
            let own = thread.construction?.member(of: registration, in: owner)
            if let own, let instance = try waitFor(own, on: thread) { return try record(own, instance) }
            switch claim(for: thread.construction, isAsync: false) {
            case .complete(let shared, let instance): return try record(shared, instance)
            case .new(let shared):
                let waiting = beginWait(for: shared)
                defer { waiting?.taken.endWait(for: shared) }
                let instance = try shared.construction.build(shared, self, on: thread)
                if let instance { return try recordIfOpen(shared, instance) }
            case .underConstruction(let shared):
                if registration.isAsync { throw isInside(owner) ? circular : asynchronous }
                let waiting = beginWait(for: shared)
                defer { waiting?.taken.endWait(for: shared) }
                if let instance = try waitFor(shared, on: thread) { return try recordIfOpen(shared, instance) }
            case .registrationChanged: return nil
            case .refused(let refusal): throw error(refusal)
            }
        }
    }

    /// Claims the instance.
    ///
    /// - Parameters:
    ///   - construction: the construction that builds it, or nil for a new one.
    ///   - isAsync: whether the caller can start an asynchronous construction.
    /// - Returns: the claim.
    func claim(for construction: Construction?, isAsync: Bool) -> Registry.Claim {
        var removed: SharedInstance?
        // Before the lock is taken, because the hash of an object is user code.
        let kept = registration.isWeak ? arguments?.withoutObjects : arguments?.comparable
        let claim = owner.registry.withWrite {
            $0.claim(self, keeping: kept, for: construction, isAsync: isAsync, removed: &removed)
        }
        withExtendedLifetime(removed) {}
        return claim
    }

    func error(_ refusal: Registry.Refusal) -> ResolutionError {
        switch refusal {
        case .asynchronous: asynchronous
        case .circular: ResolutionError(.circular, path: path, detail: "closing")
        case .closed: owner.closed(path)
        }
    }

    /// Records that the shared instance under construction that has led to this request needs another one before it
    /// can go on, also if this thread builds the other one itself. An error of `close` names the last of such a chain.
    ///
    /// - Returns: the instance that waits, for `endWait`, or nil.
    func beginWait(for shared: SharedInstance) -> SharedInstance? {
        let waiting = parent?.instanceUnderConstruction
        waiting?.taken.beginWait(for: shared)
        return waiting
    }

    /// Records the shared instance as taken, and returns its instance.
    ///
    /// - Throws: `.otherArguments` if the instance was built from other runtime arguments, and `.outdatedDependency` if
    ///   it is replaced when its settings change, and the dependent is not.
    func record(
        _ shared: SharedInstance, _ instance: StoredInstance
    ) throws(ResolutionError) -> StoredInstance {
        if let arguments, let other = shared.arguments, arguments.differs(from: other) {
            let detail = "\(other.description), and not \(arguments.description)"
            throw ResolutionError(.otherArguments, path: path, detail: detail)
        }
        if shared.registration.follows, kind == .instance, let dependent,
            !ContainerLife.mayHold(shared, in: dependent)
        {
            throw ResolutionError(.outdatedDependency, path: path, detail: container.names.text(of: dependent.key))
        }
        container.record(shared, for: dependent, as: kind)
        return instance
    }

    /// Records the shared instance as `record` does, after its construction, unless the container has been closed
    /// meanwhile.
    func recordIfOpen(_ shared: SharedInstance, _ instance: StoredInstance) throws(ResolutionError)
        -> StoredInstance
    {
        if !owner.isOpen { throw owner.closed(path) }
        return try record(shared, instance)
    }

    /// Whether the factory of the shared service has led to this request.
    private func isInside(_ owner: Container) -> Bool {
        parent?.chain.contains { $0.isOf(registration, owner) && $0.isActive } ?? false
    }

    /// Returns an instance under construction: waits if another thread builds it. If this thread builds it, returns
    /// the instance if its factory has returned, and otherwise throws a circular error.
    ///
    /// - Returns: the instance, or nil if the other construction has failed. Then this thread asks again, and builds
    ///   the instance itself. (A task that waits for a task gets the error of that construction.)
    private func waitFor(
        _ shared: SharedInstance, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance? {
        var weak: StoredInstance?
        if thread.construction !== shared.construction {
            weak = try Waits.block(for: shared, on: thread, path: path)
        } else if case .building = shared.phase {
            throw circular
        }
        let phase = shared.phase
        if case .built(let instance) = phase {
            thread.construction?.recordIncomplete()
            return instance
        }
        return weak ?? phase.instance
    }
}
