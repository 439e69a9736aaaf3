import Container

extension World {
    func scope(_ tier: Int) -> SharedScope { tier == 0 ? .session : SharedScope("session \(tier)") }

    func register(_ index: Int, in home: Int, isFirst: Bool) {
        let (service, token, name) = (program.services[index], Token(self, index), "\(index)")
        let registration = Birth(index: index, home: home, isFirst: isFirst)
        let entry =
            !service.isAsync
            ? containers[home].register(Node.self, name: name) { [self] r in
                try withExtendedLifetime(token) { try build(registration, r) }
            }
            : containers[home].register(Node.self, name: name) { (r: AsyncResolver) async throws in
                defer { withExtendedLifetime(token) {} }
                return try await self.build(registration, r)
            }
        switch service.kind {
        case .container: entry.inObjectScope(.container)
        case .session: entry.inObjectScope(scope(service.tier))
        case .child: entry.inObjectScope(.child)
        case .weak: entry.inObjectScope(.weak)
        case .graph: entry.inObjectScope(.graph)
        case .transient: entry.inObjectScope(.transient)
        }
        addCode(to: entry, of: registration)
    }

    private func addCode(to entry: RegistrationEntry<Node>, of registration: Birth) {
        let (index, home, service) = (registration.index, registration.home, program.services[registration.index])
        if service.code[.completion] != nil {
            if service.isAsync {
                entry.initCompleted { (r: AsyncResolver, node: Node) async throws in
                    try self.complete(node, await self.run(.completion, of: index, in: home, r, for: node.life))
                }
            } else {
                entry.initCompleted { [self] r, node in
                    try complete(node, run(.completion, of: index, in: home, r, for: node.life))
                }
            }
        }
        if service.isKept {
            if service.hookIsAsync {
                entry.onClose { [self] (node: Node) async throws in
                    close(node)
                    _ = try await run(.hook, of: index, in: home, nil as AsyncResolver?)
                }
            } else {
                entry.onClose { [self] (node: Node) in
                    close(node)
                    _ = try run(.hook, of: index, in: home, nil)
                }
            }
        }
        if service.follows {
            entry.followsSettings(draining: .zero)
            entry.onReplace { [self] _ in _ = try? run(.onReplace, of: index, in: home, nil) }
        }
    }

    /// The registration that builds an instance.
    private struct Birth {
        let index: Int
        let home: Int
        let isFirst: Bool
    }

    private func begin(_ registration: Birth) -> Life {
        let service = program.services[registration.index]
        let calls = inFactory[registration.index].increment()
        if service.kind == .container, !service.isOverridden, !program.removesInstances {
            check(calls == 1, "the factory of \(registration.index) runs twice at the same time")
        }
        let life = Life(
            registration.index, home: registration.home, isFirstRegistration: registration.isFirst,
            serial: lives.all.count)
        lives.add(life)
        return life
    }

    private func build(_ registration: Birth, _ r: Resolver) throws -> Node {
        let (index, service) = (registration.index, program.services[registration.index])
        let life = begin(registration)
        defer { inFactory[index].decrement() }
        if service.follows { _ = r.property("setting") as Int? }
        let needs = try run(.factory, of: index, in: registration.home, r, for: life)
        let deferred = readerSteps(index).map { step -> Node.Deferred? in
            let name = "\(step.service)"
            return step.way == .lazy
                ? (try? r.require(Lazy<Node>.self, name: name)).map { .lazy($0) }
                : (try? r.require(Provider<Node>.self, name: name)).map { .provider($0) }
        }
        if service.code[.completion] == nil { life.change { $0.isComplete = true } }
        return Node(life, needs, deferred, keeping: service.keepsResolver ? r : nil, self)
    }

    nonisolated(nonsending) private func build(_ registration: Birth, _ r: AsyncResolver) async throws -> Node {
        let (index, service) = (registration.index, program.services[registration.index])
        let life = begin(registration)
        defer { inFactory[index].decrement() }
        if service.follows { _ = r.property("setting") as Int? }
        let needs = try await run(.factory, of: index, in: registration.home, r, for: life)
        var deferred: [Node.Deferred?] = []
        for step in readerSteps(index) {
            let name = "\(step.service)"
            if step.way == .lazy {
                deferred.append((try? await r.require(Lazy<Node>.self, name: name)).map { .lazy($0) })
            } else {
                deferred.append((try? await r.require(Provider<Node>.self, name: name)).map { .provider($0) })
            }
        }
        if service.code[.completion] == nil { life.change { $0.isComplete = true } }
        return Node(life, needs, deferred, keeping: service.keepsResolver ? r : nil, self)
    }

    private func readerSteps(_ index: Int) -> [Program.Step] {
        program.services[index].code[.reader, default: []].filter(\.action.isResolve)
    }

    private func complete(_ node: Node, _ taken: [Node]) throws {
        if program.failing == node.life.index, failures.increment() == 1 { throw Failure("injected") }
        node.take(taken)
        node.life.change {
            ($0.isComplete, $0.closingsBeforeTakes) = (true, closingCount)
        }
    }

    private func close(_ node: Node) {
        let place = closings.increment()
        node.life.change { $0.closings.append(place) }
    }
}
