import SharedState

/// A worker's request for a shared instance.
struct SharedRequest {
    /// What the worker does next.
    enum Step {
        /// The instance exists. The object is its stored form.
        case made(AnyObject)
        /// The instance of a weak scope exists. The object is the instance itself, not its stored form.
        case held(AnyObject)
        /// The instance does not exist. The worker that requested it must build it.
        case construct(PendingInstance)
        /// Another worker builds the instance. This worker sleeps until that one wakes it, and then asks again.
        case wait
    }

    /// Whether the worker can suspend.
    let isAsync: Bool
    /// The instance that the worker has waited for.
    fileprivate var awaited: PendingInstance?
    /// The asynchronous construction that the worker has joined.
    private(set) var joined: PendingInstance?
    /// Whether the worker counts as an asker of that construction.
    private var isAsker = false
    /// The graph of the shared service, which the next attempt of a construction uses again, or nil.
    var context: ResolutionContext?
    /// Objects to release outside the monitor.
    fileprivate var unneeded: [AnyObject] = []

    init(isAsync: Bool = false) { self.isAsync = isAsync }

    /// Records that a worker waits for an asynchronous construction, unless that has been abandoned. The caller must
    /// hold the monitor.
    fileprivate mutating func join(_ pending: PendingInstance, for worker: Worker) {
        if !pending.registration.isAsync || pending.isAbandoned || joined === pending { return }
        joined = pending
        // What a construction itself needs must not keep it alive when all others have left.
        isAsker = !sequence(first: worker, next: \.asker).contains { $0 === pending.maker }
        if isAsker { pending.join() }
    }

    /// Records that the worker has been cancelled.
    func leave() { if isAsker { joined?.leave() } }
}

extension Registration {
    /// Finds the shared instance, assigns its construction to this worker, or records that this worker waits for it.
    ///
    /// - Throws: a circular error if the wait would be a deadlock or the construction would be a part of another one of
    ///   the same service, the error of an asynchronous construction that the worker has joined, `.cancelled` if it
    ///   would start one and its task is cancelled, or `.asynchronous` if the worker would have to suspend and cannot.
    func claim(_ request: inout SharedRequest, on worker: Worker) throws(ResolutionError) -> SharedRequest.Step {
        try Container.withMonitor { () throws(ResolutionError) in
            while true {
                // A worker that waited for an instance gets it even if its key has been reset or registered again.
                if let awaited = request.awaited, case .ended = awaited.state, let stored = awaited.stored {
                    return .made(stored)
                }
                // If another task failed it by its cancellation, this worker asks again.
                if let joined = request.joined, case .failed(let error?) = joined.state, error.reason != .cancelled {
                    throw error.with(path: worker.path + error.keys)
                }
                if request.awaited?.isInProgress != true {
                    request.unneeded += [request.awaited].compactMap { $0 }
                    request.awaited = pendingBefore(on: worker)
                    if request.awaited == nil, let existing { return existing }
                }
                guard let current = request.awaited ?? pending.first(where: { !$0.isDetached }) else {
                    if owner.isClosed { throw ResolutionError(.closed, path: worker.path(to: key)) }
                    if isAsync, !request.isAsync { throw asynchronous(on: worker) }
                    try checkStart(on: worker)
                    let new = newPending(for: worker, in: request.context)
                    addPending(new)
                    request.join(new, for: worker)
                    return .construct(new)
                }
                request.awaited = current
                let needsTask = !request.isAsync && current.closure.contains { $0.needsTask }
                if !needsTask || worker.outermost.isAsync, current.isOpen(to: worker), let stored = current.stored {
                    request.join(current, for: worker)
                    worker.take(current)
                    return .made(stored)
                }
                request.unneeded += current.endIfPossible()
                if current.isInProgress {
                    try checkDeadlock(of: worker, waitingFor: current)
                    if needsTask { throw asynchronous(on: worker) }
                    request.join(current, for: worker)
                    worker.startWaiting(for: current, path: worker.path(to: key))
                    return .wait
                }
            }
        }
    }

    private var existing: SharedRequest.Step? {
        if isWeak { return held.map { .held($0) } }
        // No hazard is needed: this thread holds the monitor, so no other thread can replace the instance.
        return instance.copy().map { .made($0) }
    }

    /// The pending instance that was made by this worker, or by a worker whose instances this worker is completing. It
    /// is used even if the scope has been reset meanwhile, so that services that need each other get the same
    /// instances.
    private func pendingBefore(on worker: Worker) -> PendingInstance? {
        pending.first { pending in pending.maker === worker || worker.makers.contains { $0 === pending.maker } }
    }

    private func checkDeadlock(of worker: Worker, waitingFor pending: PendingInstance) throws(ResolutionError) {
        if let circle = pending.deadlock(of: worker) {
            throw ResolutionError(.circular, path: worker.path(to: key) + circle.flatMap { $0.wayOn })
        }
    }

    /// Throws if a worker must not start an asynchronous construction of this registration. In a circle, each
    /// construction would otherwise start the next one for ever: one that has failed may still run completions, and one
    /// that is cancelled still runs its factory, but neither is in `pending` any more.
    private func checkStart(on worker: Worker) throws(ResolutionError) {
        if !isAsync { return }
        let path = worker.path(to: key)
        if Task.isCancelled { throw .cancelled(path: path) }
        if sequence(first: worker, next: \.asker).contains(where: { $0.construction === self && !$0.isOver }) {
            throw ResolutionError(.circular, path: path)
        }
    }

    /// Creates the pending instance for a construction, whose graph is `context` or a new one. An asynchronous
    /// construction has a worker of its own. The caller must hold the monitor if other workers can find the instance.
    func newPending(for worker: Worker, in context: ResolutionContext? = nil) -> PendingInstance {
        let maker = isAsync ? Worker(isAsync: true, toConstruct: self, for: worker) : worker
        let context = context ?? ResolutionContext(of: self)
        context.begin(on: maker)
        return PendingInstance(of: self, by: maker, in: context)
    }
}
