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

    /// The instance that the worker has waited for.
    fileprivate var awaited: PendingInstance?
    /// Objects to release outside the monitor.
    fileprivate var unneeded: [AnyObject] = []
}

extension Registration {
    /// Finds the shared instance, assigns its construction to this worker, or records that this worker waits for it.
    ///
    /// - Throws: a circular error if the wait would be a deadlock.
    func claim(
        _ request: inout SharedRequest, on worker: Worker, in context: ResolutionContext
    ) throws(ResolutionError) -> SharedRequest.Step {
        try Container.monitor.withLock { () throws(ResolutionError) in
            while true {
                // A worker that waited for an instance gets it even if its key has been reset or registered again.
                if let awaited = request.awaited, case .ended = awaited.state, let stored = awaited.stored {
                    return .made(stored)
                }
                if request.awaited?.isInProgress != true {
                    request.unneeded += [request.awaited].compactMap { $0 }
                    request.awaited = pendingBefore(on: worker)
                    if request.awaited == nil, let existing { return existing }
                }
                guard let current = request.awaited ?? pending.first(where: { !$0.isDetached }) else {
                    if owner.isClosed { throw ResolutionError(.closed, path: worker.path(to: key)) }
                    let new = PendingInstance(of: self, by: worker, in: context, isShared: true)
                    addPending(new)
                    return .construct(new)
                }
                request.awaited = current
                if current.isOpen(to: worker), let stored = current.stored {
                    worker.take(current)
                    return .made(stored)
                }
                request.unneeded += current.endIfPossible()
                if current.isInProgress {
                    try startWaiting(for: current, on: worker)
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

    private func startWaiting(for pending: PendingInstance, on worker: Worker) throws(ResolutionError) {
        if let circle = pending.deadlock(of: worker) {
            throw ResolutionError(.circular, path: worker.path(to: key) + circle.flatMap { $0.wayOn })
        }
        worker.startWaiting(for: pending, path: worker.path(to: key))
    }
}
