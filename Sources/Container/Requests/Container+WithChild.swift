extension Container {
    /// Calls a closure with a child container, and closes the child when the closure returns or throws.
    ///
    ///     try await container.withChild(providing: user) { request in
    ///         try request.require(Basket.self).order(item)
    ///     }
    ///
    /// The child is for one request, one job or one message. Its services in `.child`, and the services that the
    /// closure registers in it, are closed at the end, also if the task is cancelled. The closure's result or error is
    /// passed on. `onFailure(_:)` gets the errors of closing.
    ///
    /// Code that runs after the closure has returned, such as the body of a streamed response, needs a child of its
    /// own: call this method where the body is written. A closed child throws `.closed`.
    ///
    /// - Parameters:
    ///   - given: values that the child resolves by their static types, such as the user of a request. Declare the types
    ///     with `givenByChild(_:)` on this container, so that a start and a check know them. Of two values of one type, the
    ///     child has the last. For a value with a name, register a factory in the closure.
    ///   - closeTimeout: the time for closing the child. See `close(timeout:)`.
    ///   - fileID: the file of the call, for descriptions.
    ///   - line: the line of the call, for descriptions.
    ///   - body: uses the child. It is isolated as its caller is.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    nonisolated(nonsending) public func withChild<each Given: Sendable, Result, Failure: Error>(
        providing given: repeat each Given, closeTimeout: Duration = defaultCloseTimeout,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: (Container) async throws(Failure) -> sending Result
    ) async throws(Failure) -> sending Result {
        // The type of `body` is not `nonisolated(nonsending)`, because a closure of that type cannot use the writer of
        // a body of Hummingbird that it captures.
        let child = Container(parent: self)
        repeat child.give(each given, at: SourcePlace(fileID: fileID, line: line))
        do throws(Failure) {
            let result = try await body(child)
            await child.close(timeout: closeTimeout)
            return result
        } catch {
            await child.close(timeout: closeTimeout)
            throw error
        }
    }

    /// Registers a value that exists already, which a lookup finds without a factory.
    private func give<Given: Sendable>(_ given: Given, at place: SourcePlace) {
        let instance = StoredInstance(given)
        let registration = Registration(
            ServiceKey(Given.self, nil), RegistrationOptions(scope: .transient, place: place),
            .factory { _, _ in instance })
        change { $0.add(registration, instance) }
        noteOverride(of: registration.key)
    }
}
