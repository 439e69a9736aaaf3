import Container
import Synchronization

protocol Animal: AnyObject { var name: String { get } }

/// A service that is not Sendable.
class Cat: Animal {
    let name: String
    var owner: Person?
    init(name: String = "Mimi") { self.name = name }
}

class Person {
    let pet: (any Animal)?
    init(pet: (any Animal)?) { self.pet = pet }
}

/// A service that is Sendable.
final class Shared: Sendable {
    let number: Int
    init(_ number: Int = 0) { self.number = number }
}

struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .sequentiallyConsistent) }
    @discardableResult func increment() -> Int { value.add(1, ordering: .sequentiallyConsistent).newValue }
    func decrement() { value.subtract(1, ordering: .sequentiallyConsistent) }
}

/// Collects the errors that a container's failure handler gets.
final class Failures: Sendable {
    private let errors = Mutex<[ResolutionError]>([])
    var all: [ResolutionError] { errors.withLock { $0 } }
    func clear() { errors.withLock { $0 = [] } }
    func add(_ error: ResolutionError) { errors.withLock { $0.append(error) } }
    func listen(to container: Container) { container.onFailure { self.add($0) } }
}

extension Container {
    /// Registers a service whose factory takes another service, and then makes its own.
    @discardableResult
    func register<Service, Need>(
        _ type: Service.Type, name: String? = nil, needs: Need.Type, make: @escaping @Sendable () throws -> Service
    ) -> RegistrationEntry<Service> {
        register(type, name: name) { r in
            _ = try r.require(needs)
            return try make()
        }
    }
}

/// Returns the resolution error that a closure throws, or nil.
func failure(_ body: () throws -> Void) -> ResolutionError? {
    do { try body() } catch { return error as? ResolutionError }
    return nil
}

/// Returns the error of a resolve with `await`, or nil.
func failure<Service>(async type: Service.Type, in container: Container) async -> ResolutionError? {
    do throws(ResolutionError) { _ = try await container.require(async: type) } catch { return error }
    return nil
}

/// Returns the problems of services that `verify()` reports.
func serviceProblems(of container: Container) async -> [ResolutionError] {
    do { try await container.verify() } catch { return error.services }
    return []
}

extension ConfigurationErrors {
    /// The errors of services.
    var services: [ResolutionError] { problems.compactMap { $0.error as? ResolutionError } }
}
