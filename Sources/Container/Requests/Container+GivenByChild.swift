extension Container {
    /// Declares a service that each child container has itself, such as the user of a request.
    ///
    ///     container.givenByChild(User.self)
    ///     container.register(Handler.self) { r in Handler(user: try r.require(User.self)) }
    ///
    ///     try await container.withChild(providing: user) { request in
    ///         try await request.require(Handler.self).run()
    ///     }
    ///
    /// A start and a check then know that a service that takes it can be built only in a child, and do not build that
    /// service. A shared service that takes it is an error, since it would keep the service of one child. A resolve in
    /// a child that does not have the service throws `.notGiven`.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - fileID: the file of the declaration, for descriptions.
    ///   - line: the line of the declaration, for descriptions.
    public func givenByChild<Service>(
        _ type: Service.Type, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let failure = RegistrationFailure(reason: .notGiven, detail: "")
        var options = RegistrationOptions(scope: .graph, place: SourcePlace(fileID: fileID, line: line))
        (options.life.isOnDemand, options.isGivenByChild) = (true, true)
        let key = ServiceKey(service: type, arguments: Void.self, qualifier: Qualifier(name: name))
        insert(Registration(key, options, .factory { _, _ in throw failure }))
    }
}

extension Container {
    /// Filters a list of problems. A service that needs a service of a child is not a problem, unless a shared service
    /// would keep it.
    ///
    /// - Returns: the other problems, and the names of the services that only a child can build.
    func separated(_ problems: [ResolutionError]) -> (problems: [ResolutionError], ofChildren: Set<String>) {
        var others: [ResolutionError] = [], found: Set<String> = []
        for problem in problems {
            guard problem.reason == .notGiven, let given = problem.keys.last, let first = problem.keys.first else {
                others.append(problem)
                continue
            }
            let keys = problem.keys.dropLast()
            let index = keys.lastIndex { key in
                registration(of: key).map { $0.registration.isShared && !$0.registration.isPerChild } ?? false
            }
            if let index {
                // The holder may keep the given service itself, or a service in `.child` that is made of it.
                let kept = keys[(index + 1)...].first { registration(of: $0)?.registration.isPerChild == true }
                others.append(ResolutionError(.shorterLife, path: [keys[index], kept ?? given], detail: "child"))
            } else {
                found.insert(names.text(of: first))
            }
        }
        return (others, found)
    }
}
