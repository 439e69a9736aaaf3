import Container
import DeclarativeContainer
import Testing

final class Panel: Sendable {}

protocol Titled {
    var title: String { get }
}

extension Panel: @MainActor Titled {
    var title: String { "on the main actor" }
}

@Suite("Conformances that are isolated to the main actor")
struct IsolatedConformanceTests {
    private static func containers() -> [Container] {
        let container = Container()
        container.register(Panel.self) { _ in Panel() }.inObjectScope(.container).implements((any Titled).self)
        return [container, Container { Singleton { Service(type: (any Titled).self) { _ in Panel() } } }]
    }

    @Test("Only the main actor finds the service by such a conformance, whoever asks first", arguments: [false, true])
    func isolated(asksFirst: Bool) async {
        for container in Self.containers() {
            container.onFailure { _ in }
            for isMain in asksFirst ? [true, false, true, false] : [false, true, false, true] {
                let reason = isMain ? await Self.onMain(container) : await Self.elsewhere(container)
                #expect(reason == (isMain ? nil : .wrongType))
            }
            await container.close()
        }
    }

    @MainActor private static func onMain(_ container: Container) -> ResolutionError.Reason? {
        failure { _ = try container.require((any Titled).self) }?.reason
    }

    private static func elsewhere(_ container: Container) async -> ResolutionError.Reason? {
        await offPool { failure { _ = try container.require((any Titled).self) }?.reason }
    }
}
