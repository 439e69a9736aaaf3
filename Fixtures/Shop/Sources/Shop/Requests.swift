import Hummingbird
import Logging
import ServiceHost

struct ShopContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The container of the request. It is empty until `RequestServices` replaces it.
    var services = Container()

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}

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
