/// Recognises the environment variables that announce other services of Kubernetes to a container.
///
/// For a service `redis`, Kubernetes sets `REDIS_SERVICE_HOST`, `REDIS_SERVICE_PORT`, `REDIS_SERVICE_PORT_<NAME>`,
/// `REDIS_PORT=tcp://10.0.0.11:6379` and `REDIS_PORT_6379_TCP`, the last one also with `_PROTO`, `_PORT` and `_ADDR`.
///
/// A single variable can be a setting whose name is alike by chance. So a service is recognised by two variables:
/// `REDIS_SERVICE_HOST`, and a variable that begins with `REDIS_PORT` and has a value such as `tcp://…`.
struct ServiceLinks {
    /// The recognised services by the first part of their variables' names, such as `REDIS`.
    private let services: Set<PropertyKey>

    /// Finds the services that a list of variables announces.
    init(in variables: [(name: String, value: PropertyValue)]) {
        var hosts: Set<PropertyKey> = [], links: Set<PropertyKey> = []
        for (name, value) in variables {
            for (service, rest) in Self.splits(of: name) {
                if rest == "SERVICE_HOST" { hosts.insert(service) }
                if rest.begins(with: "PORT"), Self.isLink(value) { links.insert(service) }
            }
        }
        services = hosts.intersection(links)
    }

    /// Returns the name of the service that a variable announces, such as `REDIS`, or nil if the variable is a setting.
    ///
    /// All variables that begin with `REDIS_SERVICE_` or `REDIS_PORT_` belong to the service. `REDIS_PORT` does unless
    /// the program's own deployment has replaced it, as by `REDIS_PORT=6379`.
    func service(of name: String, _ value: PropertyValue) -> String? {
        guard !services.isEmpty else { return nil }
        let split = Self.splits(of: name).first { service, rest in
            services.contains(service)
                && (rest.begins(with: "SERVICE_") || rest.begins(with: "PORT_") || rest == "PORT" && Self.isLink(value))
        }
        return split?.service.rawValue
    }

    /// The maximum length of a service's name, in bytes, which is the limit of a DNS name. A limit keeps the work for a
    /// variable with many underscores in proportion to its length.
    private static let maximumNameLength = 253

    /// Returns the parts of a name before and after each underscore that can end the name of a service.
    private static func splits(of name: String) -> [(service: PropertyKey, rest: Substring)] {
        let start = name.utf8.prefix(maximumNameLength + 1)
        return start.indices.filter { start[$0] == UInt8(ascii: "_") && $0 != name.startIndex }.map { place in
            (PropertyKey(String(name[..<place])), name[name.utf8.index(after: place)...])
        }
    }

    private static func isLink(_ value: PropertyValue) -> Bool {
        guard case .text(let text) = value else { return false }
        return ["tcp://", "udp://", "sctp://"].contains { text.begins(with: $0) }
    }
}
