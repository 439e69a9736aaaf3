import SharedState

/// One resolve of a registration that has a factory.
struct Request {
    let registration: Registration
    /// The container that the caller resolves from.
    let container: Container
    /// The container that has the registration: the same, or one above it.
    let home: Container
    /// The runtime arguments, whose types are those in the key, or nil if there are none.
    let arguments: StoredInstance?
    /// What has asked for the service, or nil.
    let parent: Frame?
    /// The replacement that this request begins, or nil.
    var begins: Replacement?

    /// The services that have led to this request, and its own.
    var path: [ServiceKey] { parent.path(to: registration.key) }

    /// The container that a shared instance belongs to.
    var owner: Container {
        let isOwn = registration.isPerChild || container.isVerifying && registration.sharedScope != .container
        return isOwn ? container : home
    }

    /// The replacement that a new instance belongs to: that of the factory which asks. Nil if the service itself is not
    /// replaced.
    var replacement: Replacement? {
        guard let replacement = begins ?? parent?.user?.replacement else { return nil }
        return replacement.contains(registration) ? replacement : nil
    }

    /// Returns the instance as the service that the caller has asked for: by this registration, or by one that forwards to
    /// it. Then the instance is cast. If it is shared, it is kept under that key too, so that later lookups need no cast.
    func view(of instance: StoredInstance, as asked: Registration) throws(ResolutionError) -> StoredInstance {
        if asked === registration { return instance }
        guard let view = asked.form.stored(registration.form.value(in: instance)) else {
            throw ResolutionError(.wrongType, path: path, detail: "\(asked.key.service)")
        }
        if registration.isKept {
            owner.registry.withWrite { $0.keep(view, of: registration, under: asked.key, for: instance.object) }
        }
        return view
    }

    /// The error of a synchronous resolve that would have to wait for a task.
    var asynchronous: ResolutionError {
        ResolutionError(
            .asynchronous, path: path, detail: registration.isShared ? "and does not exist yet" : nil)
    }
}

// MARK: - Unshared instances

extension Request {
    /// Returns an unshared instance: the one of the graph, or a new one.
    func unshared(in graph: Graph, on thread: ResolvingThread) throws(ResolutionError) -> StoredInstance {
        if let found = find(in: graph) { return found }
        if registration.isAsync { throw asynchronous }
        return try keep(runFactory(in: graph, on: thread), in: graph, on: thread)
    }

    /// Returns the instance of a graph, or nil if there is none. A transient service has a new one each time.
    func find(in graph: Graph) -> StoredInstance? {
        registration.options.scope == .transient ? nil : graph.find(registration, for: container)
    }

    /// Keeps a new unshared instance in its graph, together with its completions.
    func keep(
        _ instance: StoredInstance, in graph: Graph, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance {
        if !registration.options.completions.isEmpty {
            try parent.check(.completion, of: registration, for: container)
        }
        complete(instance, in: graph, on: thread)
        if registration.options.scope != .transient { graph.keep(instance, of: registration, for: container) }
        return instance
    }

    /// Lets the completions of an instance run later: at the end of the construction that this thread runs, or when the
    /// outermost factory of the graph has returned.
    func complete(_ instance: StoredInstance, in graph: Graph, on thread: ResolvingThread) {
        if registration.options.completions.isEmpty { return }
        let completion = Completion(
            registration: registration, instance: instance, container: container, graph: graph, parent: parent)
        if graph.add(completion) === thread.completions { thread.takeIncomplete() }
    }

    /// Runs the synchronous factory.
    func runFactory(in graph: Graph, on thread: ResolvingThread) throws(ResolutionError) -> StoredInstance {
        guard case .factory(let factory) = registration.source else { throw asynchronous }
        try parent.check(.factory, of: registration, for: container)
        let frame = Frame(registration, for: container, in: graph, after: parent, .factory)
        do {
            return try thread.run(frame, in: graph) {
                try factory(Resolver(container: container, frame: frame, graph: graph), arguments)
            }
        } catch {
            throw ResolutionError(.factoryFailed, of: error, path: frame.path)
        }
    }
}

// MARK: - Shared instances

extension Request {
    /// Returns the shared instance. If it does not exist, this thread builds it, or waits for the thread that does.
    func shared(on thread: ResolvingThread) throws(ResolutionError) -> StoredInstance {
        let (owner, replacement) = (owner, replacement)
        if let own = thread.construction?.find(registration, in: owner, for: replacement) {
            if let instance = try instance(of: own, on: thread) { return instance }
        }
        while true {
            switch owner.claim(registration, for: thread.construction, replacement) {
            case .instance(let instance): return instance
            case .closed: throw ResolutionError(.closed, path: path)
            case nil: throw asynchronous
            case .pending(let pending, let isNew):
                if registration.isAsync {
                    throw isInside(owner) ? ResolutionError(.circular, path: path) : asynchronous
                }
                guard let instance = try isNew ? build(pending, on: thread) : instance(of: pending, on: thread) else {
                    continue
                }
                if !owner.isOpen { throw ResolutionError(.closed, path: path) }
                return instance
            }
        }
    }

    /// Whether the factory of the shared service has led to this request.
    func isInside(_ owner: Container) -> Bool {
        parent?.chain.contains { $0.isOf(registration, owner) && $0.isActive } ?? false
    }

    /// Returns an instance that a thread builds, or nil if that has failed.
    private func instance(
        of pending: PendingInstance, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance? {
        if thread.construction === pending.construction {
            if case .building = pending.phase { throw ResolutionError(.circular, path: path) }
        } else if let circle = Waits.block(for: pending, from: thread.construction, path: path) {
            throw ResolutionError(.circular, path: circle).with(path: circle)
        }
        switch pending.phase {
        case .complete(let instance): return instance
        case .built(let instance):
            thread.takeIncomplete()
            return instance
        case .building, .failed: return nil
        }
    }

    /// Builds a shared instance, and ends the construction if this is the outermost shared instance of the thread.
    ///
    /// - Returns: the instance, or nil if its construction has failed elsewhere, so that it must be built again.
    private func build(
        _ pending: PendingInstance, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance? {
        if thread.construction != nil { return try add(pending, on: thread) }
        let construction = pending.construction
        thread.construction = construction
        let result = Result { () throws(ResolutionError) in try add(pending, on: thread) }
        let (isComplete, failure) = end(construction, on: thread)
        // A closure of `onClose` that has run at the end may have built other instances.
        while construction.hasMembers { _ = end(construction, on: thread) }
        thread.construction = nil
        let instance = try result.get()
        if let failure { throw failure }
        return isComplete ? instance : nil
    }

    /// Runs the completions of a construction, and ends it.
    ///
    /// - Returns: whether its members are complete, and the error of a completion. Those that are left do not run then.
    private func end(
        _ construction: Construction, on thread: ResolvingThread
    ) -> (isComplete: Bool, failure: ResolutionError?) {
        var failure: ResolutionError?
        do throws(ResolutionError) {
            while let completion = thread.completions.take() { try completion.run(on: thread) }
        } catch {
            failure = error
        }
        thread.completions.removeAll()
        thread.settleGraphs()
        return (construction.end(hasFailed: failure != nil), failure)
    }

    /// Runs the factory of a shared instance in a graph of its own, and adds the instance to the construction, or
    /// publishes it if it is complete.
    ///
    /// - Returns: the instance, or nil if it is stale.
    private func add(
        _ pending: PendingInstance, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance? {
        let graph = Graph(of: pending, thread.completions)
        let request = Request(
            registration: registration, container: pending.container, home: pending.container, arguments: arguments,
            parent: parent)
        let start = thread.incomplete
        let instance: StoredInstance
        pending.construction.add(pending)
        do throws(ResolutionError) {
            instance = try request.runFactory(in: graph, on: thread)
        } catch {
            // Nobody needs what is left of its graph.
            thread.completions.remove(of: graph)
            pending.construction.remove(pending)
            pending.fail()
            throw error
        }
        pending.enter(.built(instance))
        if !registration.options.completions.isEmpty || thread.incomplete != start {
            thread.add(graph)
            request.complete(instance, in: graph, on: thread)
            thread.takeIncomplete()
            return instance
        }
        pending.construction.remove(pending)
        if pending.isStale {
            [pending].discard()
            return nil
        }
        graph.settle()
        pending.publish()
        return instance
    }
}
