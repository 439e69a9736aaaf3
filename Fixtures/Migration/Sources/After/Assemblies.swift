import Container
import Foundation
import PropertyLoaders

extension SharedScope {
    static let userSession = SharedScope("user session")
}

final class BuildLoader: PropertyLoader {
    func load() throws -> PropertyLayer {
        guard let limit = Int64("3") else { throw NoLimit() }
        return ["build.number": 4711, "build.limit": .integer(limit), "build.tags": ["nightly", "linux"]]
    }
}

class TransportAssembly: Assembly {
    func assemble(container: Container) {
        container.register((any Transport).self) { r in
            SMTPTransport(host: try r.require("smtp.host"), port: try r.property("smtp.port", default: 25))
        }.inObjectScope(unchecked: .container)
        container.register((any Transport).self, name: "dry") { _ in DryTransport() }
        container.register(Templates.self) { _ in Templates() }.inObjectScope(unchecked: .weak)
    }
}

class MailAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Outbox.self) { r in
            Outbox(transport: r.resolve((any Transport).self)!, sender: r.property("sender")!)
        }.initCompleted { r, outbox in
            outbox.limit = try r.property("limits.perMinute", default: 0)
            outbox.monitor = r.resolve(Monitor.self)
        }.inObjectScope(unchecked: .container)
        container.register(Monitor.self) { _ in Monitor() }
            .initCompleted { r, monitor in monitor.outbox = r.resolve(Outbox.self) }
            .inObjectScope(unchecked: .container)
        container.register(Letter.self) { r, recipient, isUrgent in
            Letter(to: recipient, isUrgent: isUrgent, footers: try r.property("footers", default: []))
        }
        container.register(SessionAccounts.self) { _ in SessionAccounts() }
            .inObjectScope(unchecked: .userSession)
            .implements((any Accounts).self)
    }

    func loaded(resolver: Resolver) {
        let number: Int? = resolver.property("build.number")
        print("Assembled, build \(number ?? 0)")
    }
}

/// The number of outboxes that many threads resolve.
func outboxes(from container: Container) -> Int {
    let census = Census()
    DispatchQueue.concurrentPerform(iterations: 100) { _ in census.add(container.resolve(Outbox.self)!) }
    return census.count
}
