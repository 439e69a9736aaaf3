import Container
import SharedState
import Synchronization
import Testing

/// What a hook finds in its container, which is being closed, and in its parents.
@Suite("Lookups while a container is closed", .hangLimit)
struct ClosingLookupTests {
    protocol Recording: Sendable { var name: String { get } }
    final class Ledger: Recording { let name = "ledger" }
    struct Journal: Recording { let name = "journal", pages = (1, 2, 3) }
    final class User: Sendable {}
    final class Db: Sendable {}

    let container = Container()
    let log = Log()

    @Test("A hook finds an instance by a forward as the type that it asks for", arguments: [true, false])
    func forward(isStructure: Bool) async throws {
        let log = log
        if isStructure {
            container.register(Journal.self) { _ in Journal() }.inObjectScope(.container)
                .implements((any Recording).self)
        } else {
            container.register(Ledger.self) { _ in Ledger() }.inObjectScope(.container)
                .implements((any Recording).self)
        }
        container.register(User.self) { r in
            let user = User()
            let (provider, lazy) = (
                try r.require(Provider<any Recording>.self), try r.require(Lazy<any Recording>.self)
            )
            hooks.add(user) { log.write("\(try provider.get().name), \(try lazy.get().name)") }
            return user
        }
        .inObjectScope(.container).onClose { try hooks.run($0) }
        _ = try container.require(User.self)
        _ = try container.require((any Recording).self)
        #expect(await container.closeSlowly().isEmpty)
        let name = isStructure ? "journal" : "ledger"
        #expect(log.lines == ["\(name), \(name)"])
    }

    private let hooks = Hooks<User>()

    /// Registers a `User` whose hook uses the service `Db`, and writes a line.
    private func registerUser(in scope: SharedScope) {
        let log = log, hooks = hooks
        container.register(User.self) { r in
            let user = User(), db = try r.require(Provider<Db>.self)
            hooks.add(user) {
                _ = try db.get()
                log.write("flushed")
            }
            return user
        }
        .inObjectScope(scope).onClose { try hooks.run($0) }
    }

    @Test("A hook finds a forward of a closing container through another forward, and in a child by its grandparent")
    func chain() async throws {
        let log = log
        container.register(Ledger.self) { _ in Ledger() }.inObjectScope(.container)
        container.register((any Recording).self) { r in try r.require(Ledger.self) }.inObjectScope(.container)
            .implements((any Sendable).self)
        let child = Container(parent: Container(parent: container))
        child.register(User.self) { _ in User() }.inObjectScope(.container).onClose { [unowned child] _ in
            log.write("\(type(of: try child.require((any Sendable).self)))")
            log.write("\(type(of: try child.require((any Recording).self)))")
        }
        _ = try container.require((any Recording).self)
        _ = try child.require(User.self)
        #expect(await child.closeSlowly().isEmpty)
        #expect(log.lines == ["Ledger", "Ledger"])
    }

    @Test(
        "A hook of a child uses a complete service of its open parent, and nothing is built for it",
        arguments: [SharedScope.session, .child, .container])
    func openParent(scope: SharedScope) async throws {
        let log = log
        container.register(Db.self) { _ in Db() }.inObjectScope(.container)
        container.register(Ledger.self) { _ in
            log.write("built")
            return Ledger()
        }
        .inObjectScope(.container)
        let child = Container(parent: Container(parent: container))
        child.register(User.self) { r in
            let user = User(), (db, ledger) = (try r.require(Provider<Db>.self), try r.require(Lazy<Ledger>.self))
            hooks.add(user) {
                _ = try db.get()
                do throws(ResolutionError) { _ = try ledger.get() } catch { log.write("\(error.reason)") }
            }
            return user
        }
        .inObjectScope(scope).onClose { user in
            await Task.yield()
            try hooks.run(user)
        }
        _ = try (container.require(Db.self), child.require(User.self))
        #expect(await child.closeSlowly().isEmpty)
        #expect(log.lines == ["closed"])
        #expect(throws: ResolutionError.self) { try child.require(Db.self) }
    }

    @Test("verify() runs the hooks of its own instances with the complete services of the container")
    func verified() async throws {
        container.register(Db.self) { _ in Db() }.inObjectScope(.container)
        registerUser(in: .session)
        try await container.start()
        try await container.verify()
        #expect(log.lines == ["flushed"])
        await container.closeSlowly()
    }

    @Test("A hook of a request writes to a service of the container, in withChild")
    func request() async throws {
        container.register(Db.self) { _ in Db() }.inObjectScope(.container)
        registerUser(in: .child)
        _ = try container.require(Db.self)
        try await container.withChild { child in _ = try child.require(User.self) }
        #expect(log.lines == ["flushed"])
    }

    @Test("A hook of a child finds what is complete in a parent that is being closed, too")
    func closingParent() async throws {
        let log = log
        container.register(Db.self) { _ in Db() }.inObjectScope(.container)
        let child = Container(parent: container)
        child.register(User.self) { _ in User() }.inObjectScope(.container).onClose { [unowned child] _ in
            _ = try child.require(Db.self)
            log.write("child")
        }
        container.register(Ledger.self) { _ in Ledger() }.inObjectScope(.container).onClose { _ in
            #expect(await child.closeSlowly().isEmpty)
            log.write("parent")
        }
        _ = try (container.require(Db.self), container.require(Ledger.self), child.require(User.self))
        #expect(await container.closeSlowly().isEmpty)
        #expect(log.lines == ["child", "parent"])
    }

    @Test("A hook finds a value that its child was given")
    func given() async throws {
        container.givenByChild(Db.self)
        registerUser(in: .child)
        try await container.withChild(providing: Db()) { child in _ = try child.require(User.self) }
        #expect(log.lines == ["flushed"])
    }

    /// What a hook does with a service that it asks for.
    private func outcome<Service>(_ get: () throws -> Service?) -> String {
        do { return try get() == nil ? "nil" : "found" } catch {
            return "\((error as? ResolutionError)?.reason as Any)"
        }
    }

    @Test("A hook gets an optional service that is complete, nil for one that is not registered, and else an error")
    func optional() async throws {
        protocol Absent: Sendable {}
        let log = log
        container.register(Ledger.self) { _ in Ledger() }.inObjectScope(.container)
            .implements((any Recording).self)
        container.register(Db.self) { _ in Db() }.inObjectScope(.container)
        let child = Container(parent: container)
        for (index, home) in [container, child].enumerated() {
            home.register(User.self, name: "\(index)") { r in
                let user = User()
                let ledger = try r.require(Provider<Ledger?>.self),
                    recording = try r.require(Lazy<(any Recording)?>.self)
                let (db, absent) = (try r.require(Provider<Db?>.self), try r.require(Provider<(any Absent)?>.self))
                let later = try r.require(Provider<Lazy<any Absent>?>.self)
                hooks.add(user) {
                    log.write(self.outcome { try ledger.get() })
                    log.write(self.outcome { try recording.get() })
                    log.write(self.outcome { try absent.get() })
                    log.write(self.outcome { try later.get() })
                    log.write(self.outcome { try db.get() })
                }
                return user
            }
            .inObjectScope(.container).onClose { try hooks.run($0) }
            _ = try home.require(User.self, name: "\(index)")
        }
        _ = try container.require(Ledger.self)
        for closing in [child, container] {
            #expect(await closing.closeSlowly().isEmpty)
            #expect(
                log.lines.suffix(5) == ["found", "found", "nil", "nil", "\(ResolutionError.Reason.closed as Any?)"])
        }
        #expect(throws: ResolutionError.self) { try container.require(Ledger?.self) }
    }

    @Test("A hook finds an instance in a weak scope as long as it lives, and builds none", arguments: [true, false])
    func weak(isInParent: Bool) async throws {
        let log = log
        let home = isInParent ? container : Container(parent: container)
        let child = isInParent ? Container(parent: Container(parent: container)) : home
        home.register(Db.self) { _ in Db() }.inObjectScope(.weak)
        home.register(Ledger.self) { _ in Ledger() }.inObjectScope(.weak).implements((any Recording).self)
        child.register(User.self) { _ in User() }.inObjectScope(.container).onClose { [unowned child] _ in
            log.write(self.outcome { try child.require((any Recording).self) })
            log.write(self.outcome { try child.require(Db.self) })
        }
        let ledger = try child.require(Ledger.self)
        _ = try (child.require(Db.self), child.require(User.self))
        #expect(await child.closeSlowly().isEmpty)
        #expect(log.lines == ["found", "\(ResolutionError.Reason.closed as Any?)"])
        withExtendedLifetime(ledger) {}
    }

    @Test(
        "A hook never finds the service of a parent in place of one that its child overrides", arguments: [true, false])
    func overridden(isComplete: Bool) async throws {
        let log = log
        container.register(Ledger.self) { _ in Ledger() }.inObjectScope(.container)
            .implements((any Recording).self)
        let own = Ledger(), child = Container(parent: container)
        child.register(Ledger.self) { _ in own }.inObjectScope(.container)
        child.register(User.self) { _ in User() }.inObjectScope(.container).onClose { [unowned child] _ in
            log.write(
                self.outcome {
                    let found = try (child.require(Ledger.self), child.require((any Recording).self))
                    return found.0 === own && (found.1 as? Ledger) === own ? own : nil
                })
        }
        _ = try container.require(Ledger.self)
        if isComplete { _ = try child.require(Ledger.self) }
        _ = try child.require(User.self)
        #expect(await child.closeSlowly().isEmpty)
        #expect(log.lines == [isComplete ? "found" : "\(ResolutionError.Reason.closed as Any?)"])
    }

    @Test("What the factories capture is released at the end of closing")
    func released() async throws {
        weak var captured: Db?
        do {
            let db = Db()
            captured = db
            container.register(User.self) { _ in
                _ = db
                return User()
            }
            .inObjectScope(.container).onClose { _ in }
        }
        _ = try container.require(User.self)
        await container.closeSlowly()
        #expect(captured == nil && container.registrations.isEmpty)
    }
}

/// What the hooks of a test do, by the instance.
private final class Hooks<Instance: AnyObject & Sendable>: Sendable {
    private let all = Lock<[ObjectIdentifier: @Sendable () throws -> Void]>([:])
    func add(_ instance: Instance, _ body: @escaping @Sendable () throws -> Void) {
        all.withLock { $0[ObjectIdentifier(instance)] = body }
    }
    func run(_ instance: Instance) throws { try all.withLock { $0[ObjectIdentifier(instance)] }?() }
}
