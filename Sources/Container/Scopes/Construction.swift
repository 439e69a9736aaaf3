/// The making of one shared instance by one thread.
///
/// Who finds one under way waits for it, with no lock held while the factory runs. A thread that would wait for
/// itself, directly or by way of others, is told so.
final class Construction {
    /// Guards every construction and every change of a registration. No user code runs under it.
    static let monitor = Monitor()

    let registration: AnyRegistration
    let maker: ThreadState
    /// The instance as it is stored, once its factory has returned and while its completions are still to run.
    var instance: AnyObject?
    var hasEnded = false

    init(of registration: AnyRegistration, by maker: ThreadState) {
        self.registration = registration
        self.maker = maker
    }
}

/// What a thread finds when it asks for a shared instance.
enum Claim {
    /// As it is stored.
    case made(AnyObject)
    /// The object that a weak scope has not kept alive.
    case held(AnyObject)
    /// Nobody has made it: the thread that asked does.
    case construct(Construction)
}

// MARK: - Claiming

extension AnyRegistration {
    /// Finds the shared instance, waits for the thread that makes it, or takes it upon this thread to make it.
    ///
    /// - Throws: a circular error where the wait would never end.
    func claim(on thread: ThreadState) throws(ResolutionError) -> Claim {
        try Construction.monitor.withLock { () throws(ResolutionError) in
            while true {
                if let existing { return existing }
                guard let construction else {
                    let new = Construction(of: self, by: thread)
                    self.construction = new
                    return .construct(new)
                }
                if let circle = construction.circle(of: thread) {
                    // Its factory has returned: in a circle that is enough.
                    if let instance = construction.instance { return .made(instance) }
                    guard circle.contains(where: { $0.instance != nil }) else {
                        let path = thread.path(to: key) + circle.flatMap { $0.wayOn }
                        throw ResolutionError(.circular, path: path, in: unsafe owner)
                    }
                    // Some other thread of the circle waits for an instance whose factory has returned
                    // meanwhile: it takes that one, and the circle is open.
                    Construction.monitor.notifyAll()
                }
                thread.wait = (construction, thread.path(to: key))
                Construction.monitor.wait()
                thread.wait = nil
            }
        }
    }

    private var existing: Claim? {
        if isWeak { return held.map { .held($0) } }
        return instance.copy().map { .made($0) }
    }

    /// The object of a weak scope, as long as somebody keeps it alive. It takes no lock.
    var held: AnyObject? {
        guard let instance = instance.copy() else { return nil }
        // A weak scope stores nothing else.
        return unsafe unsafeDowncast(instance, to: Weak.self).object
    }
}

extension Construction {
    /// The constructions that a thread would wait for, one because of the other, if it waited for this one: where
    /// they lead back to the thread. Else nil.
    fileprivate func circle(of thread: ThreadState) -> [Construction]? {
        var circle = [self]
        var last = self
        while last.maker !== thread {
            guard let next = last.maker.wait?.construction, !next.hasEnded, !circle.contains(where: { $0 === next })
            else { return nil }
            circle.append(next)
            last = next
        }
        return circle
    }

    /// The path from this construction's service to what its maker waits for.
    fileprivate var wayOn: [ServiceKey] {
        guard let path = maker.wait?.path, let start = path.lastIndex(where: { $0 == registration.key }) else {
            return []
        }
        return Array(path[(start + 1)...])
    }
}

// MARK: - Ending

extension Construction {
    /// The factory has returned, and completions are still to run.
    func hasReturned(_ instance: AnyObject) {
        Self.monitor.withLock {
            self.instance = instance
            Self.monitor.notifyAll()
        }
    }

    /// Everything is done: everybody gets the instance. Or it failed: the next who asks tries again.
    ///
    /// - Parameter stored: the instance as it is stored, in a weak scope a `Weak`; nil where it failed.
    func end(with stored: AnyObject?) {
        Self.monitor.withLock {
            hasEnded = true
            instance = nil
            // Else a reset has come between: this instance belongs to the past.
            if registration.construction === self {
                registration.construction = nil
                if let stored { registration.keep(stored) }
            }
            Self.monitor.notifyAll()
        }
    }

    /// Forgets the instances of some registrations, and of those that are being made. Call it under the monitor.
    ///
    /// - Returns: the instances, to be released when the monitor is free: their `deinit` is user code.
    static func forget(_ registrations: [AnyRegistration]) -> [AnyObject] {
        var instances: [AnyObject] = []
        for registration in registrations {
            registration.construction = nil
            if let instance = registration.instance.exchange(nil) { instances.append(instance) }
        }
        monitor.notifyAll()
        return instances
    }
}
