extension RegistrationEntry {
    /// Replaces the instance when a property changes that its factory has read.
    ///
    ///     container.register(Database.self) { r async throws in
    ///         try await Database.open(r.settings(DatabaseSettings.self))
    ///     }
    ///     .inObjectScope(.container)
    ///     .onClose { try await $0.shutdown() }
    ///     .followsSettings(draining: .seconds(30))
    ///
    /// All properties, tables and settings types count that the factory and the completions read through their
    /// resolver, also names that no source has. The reads of the unshared services that they take count, too. After a
    /// change, a new instance is built in the background, independently of other services. When it is complete, every
    /// resolve returns it, and the former instance is closed after the drain time.
    ///
    /// If it cannot be built, the former instance stays, and `onFailure(_:)` gets the error. The construction is tried
    /// again after a pause, which doubles with each failure, and at once after a change of a property that the factory
    /// has read. Pass nil for the pauses if only such changes, or SIGHUP in `run`, should try again, for example because
    /// the database locks an account after several tries with a wrong password.
    ///
    /// Another shared service must take this service as a `Provider`, or follow its settings, too. Then it is replaced
    /// after this service. A service of a request's child may hold this service, because the child is assumed to end
    /// within the drain time: afterwards, the former instance is closed although the child holds it. The scope must be
    /// `.container`.
    ///
    /// - Parameters:
    ///   - draining: the time from the replacement to the closing of the former instance. If another following instance
    ///     still holds it, it is closed after that instance.
    ///   - closeTimeout: the time for closing the former instance. Then the task of its closing is cancelled,
    ///     `onFailure(_:)` gets an error, and nothing waits for it any more, neither what it holds nor `close(timeout:)`.
    ///   - retrying: the first and the longest pause before a failed replacement is tried again, or nil. No pause is
    ///     shorter than ten milliseconds.
    /// - Returns: this entry.
    @discardableResult
    public func followsSettings(
        draining: Duration = .seconds(30), closeTimeout: Duration = Container.defaultCloseTimeout,
        retrying: ClosedRange<Duration>? = .seconds(5)...(.seconds(300))
    ) -> Self {
        container.observeSettings()
        return change {
            ($0.life.draining, $0.life.closeTimeout, $0.life.retrying) = (draining, closeTimeout, retrying)
        }
    }

    /// Adds a closure that runs when a new instance of a following service has replaced the former instance.
    ///
    /// - Parameter body: the closure, for a log. It gets the changes that have led to the replacement, with secrets
    ///   masked in their descriptions.
    /// - Returns: this entry.
    @discardableResult
    public func onReplace(_ body: @escaping @Sendable ([PropertyChange<PropertyEntry>]) -> Void) -> Self {
        change { $0.life.replaceClosures.append(body) }
    }
}

extension Registration {
    /// Ends the process if the service follows its settings and cannot.
    func checkFollowing() {
        if !follows || sharedScope == .container && key.hasNoArguments { return }
        fatalError(
            "\(key) follows its settings, so it cannot have runtime arguments, and needs .inObjectScope(.container) "
                + "before .followsSettings()")
    }
}
