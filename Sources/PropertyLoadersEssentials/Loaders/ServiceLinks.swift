import Properties

/// Recognises the environment variables with which Kubernetes announces other services to a container.
///
/// For a service `redis`, Kubernetes sets `REDIS_SERVICE_HOST`, `REDIS_SERVICE_PORT`, `REDIS_SERVICE_PORT_<NAME>`,
/// `REDIS_PORT=tcp://10.0.0.11:6379` and `REDIS_PORT_6379_TCP`, the last one also with `_PROTO`, `_PORT` and `_ADDR`.
///
/// A single variable can be a setting that has such a name by chance. A service is therefore recognised by two of them:
/// `REDIS_SERVICE_HOST`, and a value with the form `tcp://…`.
struct ServiceLinks {
    /// The recognised services by the first part of their variables' names, such as `REDIS`.
    private let services: Set<PropertyKey>

    /// Finds the services that a list of variables announces.
    init(in variables: [(name: String, value: PropertyValue)]) {
        var hosts: Set<PropertyKey> = [], links: Set<PropertyKey> = []
        for (name, value) in variables {
            guard case .text(let text) = value else { continue }
            for (service, rest) in Self.splits(of: name) {
                if rest == "SERVICE_HOST" { hosts.insert(service) }
                if Self.isLink(text), rest == "PORT" || Self.numberedPort(rest) == [] { links.insert(service) }
            }
        }
        services = hosts.intersection(links)
    }

    /// Returns the name of the service that a variable announces, such as `REDIS`, or nil if the variable is a setting.
    func service(of name: String, _ value: PropertyValue) -> String? {
        guard !services.isEmpty, case .text(let text) = value else { return nil }
        return Self.splits(of: name).first { services.contains($0.service) && Self.isPart($0.rest, text) }?
            .service.rawValue
    }

    /// The maximum length of a service's name, in bytes: that of a DNS name. A limit keeps the work for a variable with
    /// many underscores in proportion to its length.
    private static let maximumNameLength = 253

    /// Returns the parts of a name before and after each underscore that can end the name of a service.
    private static func splits(of name: String) -> [(service: PropertyKey, rest: Substring)] {
        let start = name.utf8.prefix(maximumNameLength + 1)
        return start.indices.filter { start[$0] == UInt8(ascii: "_") && $0 != name.startIndex }.map { place in
            (PropertyKey(String(name[..<place])), name[name.utf8.index(after: place)...])
        }
    }

    /// Whether a variable belongs to the set of a recognised service.
    private static func isPart(_ rest: Substring, _ value: String) -> Bool {
        if rest == "SERVICE_HOST" { return true }
        if rest == "SERVICE_PORT" || rest.begins(with: "SERVICE_PORT_") { return isNumber(value[...]) }
        if rest == "PORT" { return isLink(value) }
        return switch numberedPort(rest) {
        case []?: isLink(value)
        case ["PROTO"]?: ["tcp", "udp", "sctp"].contains(value)
        case ["PORT"]?: isNumber(value[...])
        case ["ADDR"]?: true
        default: false
        }
    }

    /// Returns what follows the number and the protocol of a name such as `PORT_6379_TCP_ADDR`, or nil if the name does
    /// not have this form.
    private static func numberedPort(_ rest: Substring) -> [Substring]? {
        let parts = rest.split(separator: "_", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), parts[0] == "PORT", isNumber(parts[1]),
            ["TCP", "UDP", "SCTP"].contains(parts[2])
        else { return nil }
        return Array(parts[3...])
    }

    private static func isLink(_ value: String) -> Bool {
        ["tcp://", "udp://", "sctp://"].contains { value.begins(with: $0) }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
