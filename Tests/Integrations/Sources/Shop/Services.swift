import AsyncHTTPClient
import Container
import Logging
import Synchronization

/// All orders. It lives as long as the container, and uses the database.
struct OrderBook: Sendable {
    let database: Database

    func add(_ item: String, cents: Int) async throws { try await database.insert(item, cents: cents) }
    func count() async throws -> Int { try await database.count() }
}

/// The order that one request makes.
final class Checkout: Sendable {
    static let open = Atomic(0)

    private let orders: OrderBook
    private let offer: Offer
    private let courier: Courier

    init(_ orders: OrderBook, _ offer: Offer, _ courier: Courier) {
        self.orders = orders
        self.offer = offer
        self.courier = courier
        Self.open.add(1, ordering: .relaxed)
    }

    func order(_ item: String) async throws -> Int {
        let cents = offer.price - offer.discount
        try await orders.add(item, cents: cents)
        try await courier.announce(item)
        return cents
    }

    func close() { Self.open.subtract(1, ordering: .relaxed) }
}

extension Container {
    /// Registers the services of the shop.
    func registerShop() {
        register(Database.self) { r async throws in
            let database = try await Database.open(r.settings(ShopSettings.self).db.path)
            report("opened the database")
            return database
        }
        .inObjectScope(.container)
        .onClose { database in
            try database.close()
            report("closed the database")
        }
        register(OrderBook.self) { r async throws in OrderBook(database: try await r.require(Database.self)) }
            .inObjectScope(.container)
            .onClose { _ in report("closed the orders") }
        register(HTTPClient.self) { _ in HTTPClient(eventLoopGroupProvider: .singleton) }
            .inObjectScope(.container)
            .onClose { client in try await client.shutdown() }
        register(Courier.self) { r in
            Courier(client: try r.require(HTTPClient.self), url: try r.settings(ShopSettings.self).courier.url)
        }
        register(Checkout.self) { r in
            Checkout(
                try r.require(OrderBook.self), try r.settings(ShopSettings.self).offer, try r.require(Courier.self))
        }
        .inObjectScope(.child)
        .onClose { $0.close() }
    }
}
