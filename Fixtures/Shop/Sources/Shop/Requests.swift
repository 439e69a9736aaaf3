import Hummingbird
import ServiceHost

struct ShopContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The container of the request. It is empty until `RequestServices` replaces it.
    var services = Container()

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}

/// Gives each request a container of its own, and closes it when the handler has ended.
struct RequestServices: RouterMiddleware {
    let container: Container

    func handle(
        _ request: Request, context: ShopContext, next: (Request, ShopContext) async throws -> Response
    ) async throws -> Response {
        try await container.withChild { services in
            var context = context
            context.services = services
            return try await next(request, context)
        }
    }
}
