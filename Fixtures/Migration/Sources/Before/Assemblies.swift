import Container
import ContainerMigration
import Foundation
import PropertyLoaders

extension ObjectScope {
    static let userSession = ObjectScope(storageFactory: PermanentStorage.init, description: "user session")
}

class BuildLoader: PropertyLoader {
    func load() throws -> [String: Any] {
        guard let limit = Int("3") else { throw NoLimit() }
        return ["build.number": 4711, "build.limit": limit, "build.tags": ["nightly", "linux"]]
    }
}

class TransportAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Transport.self) { r in
            SMTPTransport(host: r.property("smtp.host")!, port: r.property("smtp.port") ?? 25)
        }.inObjectScope(.container)
        container.register(Transport.self, name: "dry") { _ in DryTransport() }
        container.register(Templates.self) { _ in Templates() }.inObjectScope(.weak)
    }
}

class MailAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Outbox.self) { r in
            Outbox(transport: r.resolve(Transport.self)!, sender: r.property("sender")!)
        }.initCompleted { r, outbox in
            outbox.limit = r.property("limits.perMinute") ?? 0
            outbox.monitor = r.resolve(Monitor.self)
        }.inObjectScope(.container)
        container.register(Monitor.self) { _ in Monitor() }
            .initCompleted { r, monitor in monitor.outbox = r.resolve(Outbox.self) }
            .inObjectScope(.container)
        container.register(Letter.self) { r, recipient, isUrgent in
            Letter(to: recipient, isUrgent: isUrgent, footers: r.property("footers") ?? [])
        }
        let accounts: ServiceEntry<SessionAccounts> = container.register(SessionAccounts.self) { _ in
            SessionAccounts()
        }
        accounts.inObjectScope(.userSession)
        container.forward(Accounts.self, to: accounts)
    }

    func loaded(resolver: Resolver) {
        let number: Int? = resolver.property("build.number")
        print("Assembled, build \(number ?? 0)")
    }
}

/// The number of outboxes that many threads resolve.
func outboxes(from resolver: Resolver) -> Int {
    let census = Census()
    DispatchQueue.concurrentPerform(iterations: 100) { _ in census.add(resolver.resolve(Outbox.self)!) }
    return census.count
}
