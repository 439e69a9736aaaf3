import ServiceHost
import Synchronization

/// The order that one request makes.
final class Checkout: Sendable {
    static let open = Atomic(0)

    private let database: Database
    private let offer: OfferSettings

    init(_ database: Database, _ offer: OfferSettings) {
        (self.database, self.offer) = (database, offer)
        Self.open.add(1, ordering: .relaxed)
    }

    func order(_ item: String) async throws -> Int {
        let cents = offer.price - offer.discount
        try await database.insert(item, cents: cents)
        return cents
    }

    func close() { Self.open.subtract(1, ordering: .relaxed) }
}

extension Container {
    func registerServices() {
        register(Database.self) { r async throws in try await Database.open(r.settings(DatabaseSettings.self)) }
            .inObjectScope(.container)
            .onClose { database in
                try await database.close()
                print("connections closed")
            }
            .followsSettings(draining: .seconds(5))  // longer than a request waits for the database
            .onReplace { changes in print("connected again: new \(changes.map(\.name).joined(separator: ", "))") }
        register(Checkout.self) { r in
            Checkout(try r.require(Database.self), try r.settings(OfferSettings.self))
        }
        .inObjectScope(.child)
        .onClose { $0.close() }
    }
}
