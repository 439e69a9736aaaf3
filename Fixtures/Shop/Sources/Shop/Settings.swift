import Foundation
import ServiceHost

struct ServerSettings: Settings {
    @Setting("The address to listen on", needsRestart: true) var host = "127.0.0.1"
    @Setting("0 for any free port", in: 0...65535, needsRestart: true) var port = 8080
    @Setting("What a customer sends to order", isSecret: true) var token: String
}

/// Price and discount. Both are read from one state, so that a reload cannot mix them.
struct OfferSettings: Settings {
    @Setting(in: 1...100_000, expected: "a price in cents") var price: Int
    @Setting(expected: "an integer in cents") var discount = 0
}

struct DatabaseSettings: Settings {
    @Setting("Where the database listens") var url: URL
    @Setting("The password of the user 'shop'", isSecret: true) var password: String
}

extension Container {
    /// Declares everything that the shop reads, so that a wrong or unknown setting stops the start or a reload.
    func declareSettings() {
        declare(ServerSettings.self, at: "server")
        declare(OfferSettings.self, at: "offer")
        declare(DatabaseSettings.self, at: "db")
    }
}
