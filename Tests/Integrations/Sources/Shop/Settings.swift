import Container
import PropertyLoaders

extension TypedKey<Int> {
    static var port: Self {
        TypedKey("server.port", default: 8080, summary: "0 for any free port") { (0...65535).contains($0) }
    }
    static var price: Self {
        TypedKey("offer.price", unit: "cents", expected: "a price from 1 to 100,000") { (1...100_000).contains($0) }
    }
    static var discount: Self { TypedKey("offer.discount", default: 0, unit: "cents") }
}

extension TypedKey<String> {
    static var databasePath: Self { TypedKey("db.path", default: "shop.sqlite") }
    static var token: Self { TypedKey("api.token", isSecret: true, summary: "what a customer sends to order") }
}

extension TypedKey<Duration> {
    static var debounce: Self { TypedKey("reload.debounce", default: .milliseconds(100)) }
}

extension PropertyStore {
    /// Declares everything that the shop reads, so that a wrong or unknown setting stops the start or a reload.
    func declareShop() {
        declare(.port, .price, .discount, .databasePath, .token, .debounce, .logLevel)
    }
}

/// Price and discount of one state of the settings.
struct Offer: Sendable {
    let price: Int
    let discount: Int

    /// Reads both from one snapshot, so that a reload between the two reads cannot mix them.
    init(_ settings: PropertySnapshot) throws {
        price = try settings.require(.price)
        discount = try settings.require(.discount)
    }
}
