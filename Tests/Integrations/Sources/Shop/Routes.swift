import Container
import Hummingbird

struct RequestServices: RouterMiddleware {
    let container: Container

    func handle(
        _ request: Request, context: ShopContext, next: (Request, ShopContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.services = Container(parent: container)
        let result: Result<Response, any Error>
        do { result = .success(try await next(request, context)) } catch { result = .failure(error) }
        for failure in await context.services.close() { context.logger.error("\(failure)") }
        return try result.get()
    }
}

struct ShopContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The container of the request. It is empty until `RequestServices` replaces it.
    var services = Container()

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}

/// The routes of the shop.
func shopRouter(_ container: Container) -> Router<ShopContext> {
    let router = Router(context: ShopContext.self)
    router.add(middleware: RequestServices(container: container))
    router.get("offer") { _, context in
        let offer = try Offer(context.services.properties.snapshot)
        return "\(offer.price) \(offer.discount)"
    }
    router.get("orders") { _, context in "\(try await context.services.require(OrderBook.self).count())" }
    router.post("orders/:item") { request, context in
        guard request.headers[.authorization] == "Bearer \(try context.services.require(.token))" else {
            throw HTTPError(.unauthorized)
        }
        let cents = try await context.services.require(Checkout.self).order(context.parameters.require("item"))
        return "\(cents)"
    }
    router.get("health") { _, context in
        let problem = try context.services.require(Health.self).problem
        return "\(Checkout.open.load(ordering: .relaxed)) open; settings: \(problem ?? "ok")"
    }
    return router
}
