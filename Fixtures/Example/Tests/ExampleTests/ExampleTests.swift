import ServiceHost
import Testing

@testable import Example

@Test("Ada has three orders")
func orders() async throws {
    let container = makeContainer()
    container.register(Database.self) { _ in try await Database.connect(to: "memory:") }.inObjectScope(.container)
    try await container.withStart { container in  // builds the services, and closes them at the end
        let summary = try await container.require(Orders.self).summary(of: "Ada")
        #expect(summary == "Ada: 3 orders")
    }
}
