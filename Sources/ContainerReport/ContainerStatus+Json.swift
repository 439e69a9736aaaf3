public import Container
import Properties

extension ContainerStatus {
    /// The status as a JSON object, with ages in seconds and with secrets masked.
    ///
    /// An outdated service that could not be replaced has the `failure`, the number of `failures`, `failing`, the
    /// seconds since the first of these replacements began, and `nextTry`, the seconds until it is tried again.
    public var json: String {
        return """
            {
              "phase": "\(phase)",
              "outdatedServices": \(outdatedJson),
              "formerServices": \(Self.list(formerServices.map(\.node))),
              "start": \(start?.json ?? "null"),
              "properties": \(properties.json.parts(between: "\n").joined(separator: "\n  "))
            }
            """
    }

    /// The outdated services as a JSON array on one line.
    package var outdatedJson: String { Self.list(outdatedServices.map(\.node)) }

    private static func list(_ objects: [PropertyNode]) -> String {
        "[\(objects.map { JsonText.text($0) }.joined(separator: ", "))]"
    }
}

extension ContinuousClock.Instant {
    /// The seconds from this time to now, with three decimals. Negative if the time is in the future.
    fileprivate var age: PropertyValue { .double(((ContinuousClock.now - self) / .milliseconds(1)).rounded() / 1000) }
}

extension OutdatedService {
    fileprivate var node: PropertyNode {
        var entries = [
            ("service", PropertyValue.string(service)),
            ("changes", .array(changes.map { PropertyNode(.string($0.carefulText)) })),
        ]
        if let failure {
            let next = failure.nextTry.map { max(0, ($0 - .now) / .milliseconds(1)).rounded() / 1000 }
            entries += [
                ("failure", .string(failure.error.cause.map { PrintableText.escaped("\($0)") } ?? "")),
                ("failures", .integer(Int64(failure.count))), ("failing", failure.since.age),
                ("nextTry", next.map { .double($0) } ?? .null),
            ]
        }
        return PropertyNode(.table(PropertyTable(entries)))
    }
}

extension PropertyChange<PropertyEntry> {
    /// The description. A value under a name that is usual for secrets is masked, although nobody has declared it.
    fileprivate var carefulText: String {
        SecretName.looksSecret(name) ? "\(name): \(ValueText.mask) → \(ValueText.mask)" : "\(self)"
    }
}

extension FormerService {
    fileprivate var node: PropertyNode {
        PropertyNode(
            .table(
                PropertyTable([
                    ("service", .string(service)), ("age", replaced.age), ("closing", closing?.age ?? .null),
                    ("isLate", .bool(isLate)),
                ])))
    }
}

extension StartStatus {
    /// The status as a JSON object, with the three slowest services and with times in seconds.
    fileprivate var json: String {
        func list(_ services: some Sequence<Service>) -> String {
            let objects = services.map { service in
                let waitsFor = service.waitsFor.map(JsonString.quoted).joined(separator: ", ")
                return "{\"service\": \(JsonString.quoted(service.service)), "
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
