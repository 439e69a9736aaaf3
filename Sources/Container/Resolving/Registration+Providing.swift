import SharedState

extension Registration {
    /// Returns an instance as the scope requires: the shared one, the one of the resolver's graph, or a new one.
    ///
    /// - Parameters:
    ///   - r: the resolver. Its container is the owner of this registration or a descendant of the owner. Its token
    ///     identifies the resolve that this one is nested in. If the token is 0, or its factory has returned, this is
    ///     an outermost resolve.
    ///   - arguments: the runtime arguments, whose types are those in the key.
    /// - Returns: the instance in its stored form.
    /// - Throws: the error of a factory or a completion, or a circular error.
    func provide(for r: Resolver, _ arguments: Any) throws(ResolutionError) -> AnyObject {
        if isPerChild, r.container !== owner, Worker.current.scratch == nil {
            return try r.container.adopt(self).provide(for: r, arguments)
        }
        let worker = Worker.current
        if let target { return try view(of: try target.provide(for: r, arguments), from: target, on: worker) }
        if isWeak, worker.scratch == nil, let held { return stored(held) }
        if let context = worker.context(of: r.token) {
            return try instance(for: r.container, arguments, on: worker, in: context)
        }
        let (context, outer) = worker.begin(from: r.token == 0 ? r.container : nil)
        defer { worker.end(context, outer: outer) }
        let result = Result { () throws(ResolutionError) in
            try instance(for: r.container, arguments, on: worker, in: context)
        }
        switch result {
        case .success(let instance):
            if let failure = worker.finish(context, hasFailed: false) { throw failure }
            worker.reportCapture(of: self, in: context)
            return instance
        case .failure(let error):
            _ = worker.finish(context, hasFailed: true)
            throw error
        }
    }

    func instance(
        for asked: Container, _ arguments: Any, on worker: Worker, in context: ResolutionContext
    ) throws(ResolutionError) -> AnyObject {
        switch options.scope {
        case .transient: try make(for: asked, arguments, on: worker, in: context)
        case .graph:
            try makeOnce(in: context, for: asked, on: worker) { () throws(ResolutionError) in
                try make(for: asked, arguments, on: worker, in: context)
            }
        case .shared: try share(for: asked, arguments, on: worker)
        }
    }

    /// Returns the instance of the registration that this one forwards to, cast to the service type of this one.
    ///
    /// If the instance is shared, this registration keeps it too, so that later lookups need no cast.
    func view(
        of instance: AnyObject, from target: Registration, on worker: Worker?
    ) throws(ResolutionError) -> AnyObject {
        guard let view = form.object(for: target.form.value(in: instance)) else {
            let path = (worker?.path ?? []) + [target.key]
            throw ResolutionError(.wrongType, path: path, detail: "\(key.service)")
        }
        if isSharing, !isWeak {
            Container.withMonitor { if target.instance.isCurrent(instance) { keep(view) } }
        }
        return view
    }
}

// MARK: - Making

extension Registration {
    /// Returns the instance of this registration in a graph, or builds one and keeps it there.
    private func makeOnce(
        in context: ResolutionContext, for asked: Container, on worker: Worker,
        _ make: () throws(ResolutionError) -> AnyObject
    ) throws(ResolutionError) -> AnyObject {
        if let found = worker.find(self, for: asked, in: context) { return found }
        let start = worker.taken.count
        let stored = try make()
        worker.keep(stored, of: self, for: asked, in: context, takenSince: start)
        return stored
    }

    /// Runs the factory, and defers the completions to the end of the resolve. `pending` is the pending instance that
    /// other workers wait for, or nil if the instance is not shared.
    private func make(
        for asked: Container, _ arguments: Any, on worker: Worker, in context: ResolutionContext,
        _ pending: PendingInstance? = nil
    ) throws(ResolutionError) -> AnyObject {
        let start = worker.taken.count
        let stored = try run(for: asked, arguments, on: worker, in: context)
        return try deferCompletions(of: stored, takenSince: start, for: asked, on: worker, in: context, pending)
    }

    /// Records that the factory has returned, and defers the completions to the end of the resolve.
    func deferCompletions(
        of stored: AnyObject, takenSince start: Int, for asked: Container, on worker: Worker,
        in context: ResolutionContext, _ pending: PendingInstance?
    ) throws(ResolutionError) -> AnyObject {
        if options.completions.isEmpty, worker.taken.count == start || !isSharing {
            pending?.end(stored)
            return stored
        }
        try worker.checkCompletion(of: self, for: asked)
        let pending = pending ?? PendingInstance(of: self, by: worker, in: context)
        let completion = options.completions.isEmpty ? nil : DeferredCompletion(asked: asked, path: worker.steps)
        pending.build(stored, completion, parts: worker.parts(since: start))
        worker.take(pending)
        return stored
    }

    private func run(
        for asked: Container, _ arguments: Any, on worker: Worker, in context: ResolutionContext
    ) throws(ResolutionError) -> AnyObject {
        if !isVerified, worker.scratch != nil {
            throw ResolutionError(.unverified, path: worker.path(to: key))
        }
        let token = try worker.enter(self, for: asked, in: context)
        defer { worker.leave() }
        do {
            guard case .factory(let factory) = source, !isAsync else {
                throw asynchronous(for: asked, on: worker)
            }
            return try factory(Resolver(container: asked, token: token), arguments)
        } catch {
            throw ResolutionError(.factoryFailed, of: error, path: worker.path)
        }
    }
}

// MARK: - Sharing

extension Registration {
    /// Returns the shared instance. If it does not exist, this worker builds it, or waits for the worker that does.
    private func share(
        for asked: Container, _ arguments: Any, on worker: Worker
    ) throws(ResolutionError) -> AnyObject {
        if let scratch = worker.scratch {
            return try makeOnce(in: scratch, for: owner(for: asked), on: worker) { () throws(ResolutionError) in
                try constructOnce(newPending(for: worker), for: owner(for: asked), arguments, on: worker)
            }
        }
        var request = SharedRequest()
        while true {
            switch try claim(&request, on: worker) {
            case .made(let stored): return stored
            case .held(let object): return stored(object)
            case .construct(let pending): return try constructOnce(pending, for: owner, arguments, on: worker)
            case .wait: worker.sleep()
            }
        }
    }

    /// Builds the shared instance, or takes its graph apart if that fails.
    private func constructOnce(
        _ pending: PendingInstance, for asked: Container, _ arguments: Any, on worker: Worker
    ) throws(ResolutionError) -> AnyObject {
        do throws(ResolutionError) {
            return try construct(pending, for: asked, arguments, on: worker)
        } catch {
            pending.context.abandon()
            worker.replaceMissing(with: self, asked)
            throw error
        }
    }

    /// Runs the factory of a shared instance in its graph.
    func construct(
        _ pending: PendingInstance, for asked: Container, _ arguments: Any, on worker: Worker
    ) throws(ResolutionError) -> AnyObject {
        defer { if isWeak { owner.releaseRetired() } }
        do throws(ResolutionError) {
            return try make(for: asked, arguments, on: worker, in: pending.context, pending)
        } catch {
            pending.fail()
            throw error
        }
    }

    /// The object that the scope keeps of an instance: the stored instance, or in a weak scope a weak reference to it.
    /// A value that is not an object is not kept in a weak scope.
    func kept(_ stored: AnyObject) -> AnyObject { isWeak ? weak(stored) : stored }

    /// Returns a weak reference to an instance, or to nothing if the instance is a value that is not an object.
    func weak(_ stored: AnyObject) -> Weak {
        let value = form.value(in: stored)
        return Weak(type(of: value) is any AnyObject.Type ? value as AnyObject : nil)
    }

    /// The instance of a weak scope, or nil if it has been released.
    var held: AnyObject? {
        owner.hazard.protect {
            instance.withObject { ($0 as? Weak)?.object } ?? nil
        }
    }

    /// Returns the stored form of the instance of a weak scope.
    func stored(_ held: AnyObject) -> AnyObject {
        if !isBoxed { return held }
        guard let stored = form.object(for: held) else { preconditionFailure("it was stored as this service") }
        return stored
    }
}
