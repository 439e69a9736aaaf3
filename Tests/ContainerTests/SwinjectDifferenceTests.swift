import Container
import Testing

@Suite("Differences to Swinject that compile")
struct SwinjectDifferenceTests {
    private final class Store: Sendable {}

    private let container = Container()

    @Test("A change of the scope of an entry drops the instance that exists")
    func entries() throws {
        let entry = container.register(Store.self) { _ in Store() }
        entry.inObjectScope(.container)
        let former = try container.require(Store.self)
        #expect(try container.require(Store.self) === former)
        entry.inObjectScope(.container)
        #expect(try container.require(Store.self) !== former)
    }
}
