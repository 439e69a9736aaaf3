import Container
import Foundation

struct ShopSettings: Settings {
    var server = Server()
    var offer = Offer()
    var db = Database()
    var api = API()
    var courier = Courier()
    var reload = Reload()

    struct Server: Settings { @Setting("0 for any free port", in: 0...65535, needsRestart: true) var port = 8080 }
    struct Database: Settings { @Setting var path = "shop.sqlite" }
    struct API: Settings { @Setting("What a customer sends to order", isSecret: true) var token: String }
    struct Courier: Settings { @Setting("Where each order is announced by a POST") var url: URL? }
    struct Reload: Settings { @Setting var debounce = Duration.milliseconds(100) }
}

/// Price and discount. Both are read from one state, so that a reload cannot mix them.
struct Offer: Settings {
    @Setting(in: 1...100_000, unit: "cents", expected: "a price") var price: Int
    @Setting(unit: "cents") var discount = 0
}

extension Container {
    /// Declares everything that the shop reads, so that a wrong or unknown setting stops the start or a reload.
    package func declareShop() {
        declare(ShopSettings.self)
        declare(LogSettings.self, at: "log")
    }
}
