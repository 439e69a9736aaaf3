import Hummingbird
import ServiceHost

/// The routes of the shop.
func shopRouter(_ container: Container) -> Router<ShopContext> {
    let router = Router(context: ShopContext.self)
    router.add(middleware: RequestServices(container: container))
    router.get("offer") { _, context in
        let offer = try context.services.settings(OfferSettings.self)
        return "\(offer.price) \(offer.discount)"
    }
    router.get("orders") { _, context in
        "\(try await context.services.require(Database.self).count())"
    }
    // The body is written after the handler has ended, so it gets a container of its own.
    router.get("stream") { _, _ in
        Response(
            status: .ok,
            body: ResponseBody(contentLength: 6) { writer in
                try await container.withChild { services in
                    _ = try services.require(Checkout.self)
                    try await writer.write(ByteBuffer(string: "\(Checkout.open.load(ordering: .relaxed)) open"))
                }
                try await writer.finish(nil)
            })
    }
    router.post("orders/:item") { request, context in
        let token = try context.services.settings(ServerSettings.self).token
        guard request.headers[.authorization] == "Bearer \(token)" else { throw HTTPError(.unauthorized) }
        let checkout = try context.services.require(Checkout.self)
        return "\(try await checkout.order(context.parameters.require("item")))"
    }
    router.get("ready") { _, _ -> HTTPResponse.Status in
        container.status.phase == .ready ? .ok : .serviceUnavailable
    }
    router.get("health") { _, _ in
        let problems =
            [container.properties.status.refusal?.description].compactMap(\.self)
            + container.outdatedServices.map { "\($0.service) is outdated" }
        return "\(Checkout.open.load(ordering: .relaxed)) open; settings: "
            + (problems.isEmpty ? "ok" : problems.joined(separator: "; "))
    }
    return router
}
