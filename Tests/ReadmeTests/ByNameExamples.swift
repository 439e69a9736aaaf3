import Container
import Foundation
import PropertyLoaders
import ServiceHost
import Testing

// The Swift blocks about reading by name in the README and the guides, and about services of several targets and of one
// type, copied verbatim. The programs are a package of their own: Fixtures/Guides.

@Suite("Reading by name, as the README and its guide show it")
struct ByNameExamples {
    struct APIClient {
        let url: String?
        let timeout: Int
    }

    func makeContainer(_ loaders: any PropertyLoader...) throws -> Container {
        let container = Container()
        for loader in loaders { try container.applyPropertyLoader(loader) }
        container.register(APIClient.self) { r in
            APIClient(url: r.property("api.url"), timeout: r.property(.apiTimeout) ?? 30)
        }
        return container
    }

    @Test("A Swift value takes the place of the files")
    func values() throws {
        let container = try makeContainer(StructPropertyLoader(["api": ["timeout": 5]]))
        #expect(container.resolve(APIClient.self)?.timeout == 5)
    }

    @Test("The client has the timeout of its properties")
    func timeout() throws {
        let container = try makeContainer(StructPropertyLoader(["api": ["timeout": 5]]))
        #expect(container.resolve(APIClient.self)?.timeout == 5)
        try container.properties.set("api.timeout", to: 7)
        #expect(container.resolve(APIClient.self)?.timeout == 7)
    }
}

@Suite("Two services of one type, as the guide shows it")
struct TwoServicesExamples {
    struct DatabaseSettings: Settings {
        @Setting("Where the database listens") var url = "db://localhost"
        @Setting("The most connections", in: 1...) var connections = 10
    }

    struct Database: Sendable { let url: String }
    struct Reports: Sendable { let database: Database }

    func makeContainer() -> Container {
        let container = Container()
        for name in ["primary", "replica"] {
            container.declare(DatabaseSettings.self, at: name)
            container.register(Database.self, name: name) { r in
                Database(url: try r.settings(DatabaseSettings.self, at: name).url)
            }
            .inObjectScope(.container)
        }
        container.register(Reports.self) { r in Reports(database: try r.require(Database.self, name: "replica")) }
            .inObjectScope(.container)
        return container
    }

    @Test("Reports read the replica")
    func reports() async throws {
        let container = makeContainer()
        try container.properties.set("replica", to: DatabaseSettings { $0.url = "memory:" })
        try await container.withStart { container in
            let reports = try container.require(Reports.self)
            #expect(reports.database.url == "memory:")
        }
    }
}

@Suite("Several targets, as the guide shows them")
struct SeveralTargetsExamples {
    struct BillingSettings: Settings {
        @Setting("The price of one in cents", in: 1...) var price = 500
    }

    struct Invoices: Sendable {
        let price: Int
        func text(for count: Int) -> String { "\(count) for \(count * price) cents" }
    }

    struct BillingAssembly: Assembly {
        func assemble(container: Container) {
            container.declare(BillingSettings.self, at: "billing")
            container.register(Invoices.self) { r in Invoices(price: try r.settings(BillingSettings.self).price) }
                .inObjectScope(.container)
        }
    }

    func makeContainer() -> Container {
        let container = Container()
        container.apply(assemblies: [BillingAssembly()])
        return container
    }

    @Test("An invoice has the price of the settings")
    func invoice() async throws {
        let container = makeContainer()
        try container.properties.set("billing", to: BillingSettings { $0.price = 700 })
        try await container.withStart { container in
            let invoices = try container.require(Invoices.self)
            #expect(invoices.text(for: 3) == "3 for 2100 cents")
        }
    }
}
