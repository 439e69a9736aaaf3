import ServiceHost

struct User: Sendable { let name: String }

final class Basket: Sendable {
    let user: User
    init(user: User) { self.user = user }
    func close() { print("saved the basket of \(user.name)") }
}

@main
struct ServeRequests {
    static func main() async {
        let container = Container()
        container.givenByChild(User.self)
        container.register(Basket.self) { r in Basket(user: try r.require(User.self)) }
            .inObjectScope(.child)
            .onClose { basket in basket.close() }

        await container.run(.standardSources(environment: "APP")) { container in
            for name in ["Ada", "Bob"] { try await respond(to: User(name: name), container) }
        }
    }

    static func respond(to user: User, _ container: Container) async throws {
        let name = try await container.withChild(providing: user) { request in
            try request.require(Basket.self).user.name
        }
        print("answered \(name)")
    }
}
