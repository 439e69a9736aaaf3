public import Container
import Properties

extension ContainerStatus {
    /// The status as a JSON object, with ages in seconds and with secrets masked.
    public var json: String {
        let outdated = outdatedServices.map { JsonText.quoted($0.service) }.joined(separator: ", ")
        return """
            {
              "phase": "\(phase)",
              "outdatedServices": [\(outdated)],
              "start": \(start?.json ?? "null"),
              "properties": \(properties.json.parts(between: "\n").joined(separator: "\n  "))
            }
            """
    }
}

extension StartStatus {
    /// The status as a JSON object, with the three slowest services and with times in seconds.
    fileprivate var json: String {
        func list(_ services: some Sequence<Service>) -> String {
            let objects = services.map { service in
                let waitsFor = service.waitsFor.map(JsonText.quoted).joined(separator: ", ")
                return "{\"service\": \(JsonText.quoted(service.service)), "
                    + "\"seconds\": \(service.duration / .seconds(1)), \"waitsFor\": [\(waitsFor)]}"
            }
            return "[\(objects.joined(separator: ", "))]"
        }
        return """
            {"seconds": \(duration / .seconds(1)), "isInProgress": \(isInProgress), \
            "building": \(list(building)), "slowest": \(list(built.prefix(3)))}
            """
    }
}
