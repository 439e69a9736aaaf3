import Container
import Hummingbird
import Logging

struct RequestServices: RouterMiddleware {
    let container: Container

    func handle(
        _ request: Request, context: ShopContext, next: (Request, ShopContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.services = Container(parent: container)
        let end = RequestEnd(services: context.services, logger: context.logger)
        do {
            var response = try await next(request, context)
            response.body = response.body.then(end)
            return response
        } catch {
            await end.close()
            throw error
        }
    }
}

/// Closes the services of a request.
final class RequestEnd: Sendable {
    private let services: Container
    private let logger: Logger

    init(services: Container, logger: Logger) { (self.services, self.logger) = (services, logger) }

    // The client may go away before anything is written. A second close does nothing.
    deinit { Task { [services] in await services.close() } }

    func close() async {
        for failure in await services.close() { logger.error("\(failure)") }
    }
}

extension ResponseBody {
    /// Returns the same body, after which the services of the request are closed.
    func then(_ end: RequestEnd) -> ResponseBody {
        ResponseBody(contentLength: contentLength) { writer in
            let result: Result<Void, any Error>
            do { result = .success(try await write(writer)) } catch { result = .failure(error) }
            await end.close()
            try result.get()
        }
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
        let offer = try context.services.settings(ShopSettings.self).offer
        return "\(offer.price) \(offer.discount)"
    }
    router.get("orders") { _, context in "\(try await context.services.require(OrderBook.self).count())" }
    // The body is written after the handler has returned.
    router.get("stream") { _, context in
        let checkout = try context.services.require(Checkout.self)
        return Response(
            status: .ok,
            body: ResponseBody(contentLength: 6) { writer in
                try await writer.write(ByteBuffer(string: "\(Checkout.open.load(ordering: .relaxed)) open"))
                try await writer.finish(nil)
                withExtendedLifetime(checkout) {}
            })
    }
    router.post("orders/:item") { request, context in
        guard request.headers[.authorization] == "Bearer \(try context.services.settings(ShopSettings.self).api.token)"
        else {
            throw HTTPError(.unauthorized)
        }
        let cents = try await context.services.require(Checkout.self).order(context.parameters.require("item"))
        return "\(cents)"
    }
    router.get("health") { _, _ in
        let problem = container.properties.status.refusal?.description
        return "\(Checkout.open.load(ordering: .relaxed)) open; settings: \(problem ?? "ok")"
    }
    return router
}
