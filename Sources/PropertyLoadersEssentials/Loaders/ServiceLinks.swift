import Properties

/// Recognises the environment variables with which Kubernetes and Docker announce other services to a container.
///
/// For a service `redis`, Kubernetes sets `REDIS_SERVICE_HOST`, `REDIS_SERVICE_PORT`, `REDIS_SERVICE_PORT_<NAME>`,
/// `REDIS_PORT=tcp://10.0.0.11:6379` and `REDIS_PORT_6379_TCP`, the last one also with `_PROTO`, `_PORT` and `_ADDR`.
/// The links of Docker have no `SERVICE` variables, but `REDIS_NAME=/web/redis` and `REDIS_ENV_<NAME>`.
///
/// A single variable can be a setting that has such a name by chance. A service is therefore recognised by two facts:
/// a value with the form `tcp://…`, and a second variable of the set.
struct ServiceLinks {
    /// What the variables say of one possible service.
    private struct Facts: OptionSet {
        let rawValue: Int
        /// `X_SERVICE_HOST` is set.
        static let host = Facts(rawValue: 1)
        /// `X_PORT` is a URL such as `tcp://10.0.0.11:6379`.
        static let port = Facts(rawValue: 2)
        /// `X_PORT_6379_TCP` is such a URL.
        static let numberedPort = Facts(rawValue: 4)
        /// `X_NAME` is the name of a linked container, such as `/web/redis`.
        static let name = Facts(rawValue: 8)

        var isKubernetes: Bool { contains(.host) && !isDisjoint(with: [.port, .numberedPort]) }
        var isDocker: Bool { isSuperset(of: [.port, .numberedPort]) }
    }

    /// The recognised services by the first part of their variables' names, such as `REDIS`.
    private var services: [PropertyKey: Facts] = [:]

    /// Finds the services that a list of variables announces.
    init(in variables: [(name: String, value: PropertyValue)]) {
        for (name, value) in variables {
            guard case .text(let text) = value else { continue }
            for (service, rest) in Self.splits(of: name) {
                if let fact = Self.fact(rest, text) { services[service, default: []].insert(fact) }
            }
        }
        services = services.filter { $0.value.isKubernetes || $0.value.isDocker }
    }

    /// Returns the name of the service that a variable announces, such as `REDIS`, or nil if the variable is a setting.
    func service(of name: String, _ value: PropertyValue) -> String? {
        guard !services.isEmpty, case .text(let text) = value else { return nil }
        let found = Self.splits(of: name).first { service, rest in
            services[service].map { Self.isPart(rest, text, of: $0) } ?? false
        }
        return found?.service.rawValue
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

    /// Returns what a variable says of a service.
    private static func fact(_ rest: Substring, _ value: String) -> Facts? {
        switch (rest, isLink(value)) {
        case ("SERVICE_HOST", false): .host
        case ("PORT", true): .port
        case ("NAME", false) where value.begins(with: "/"): .name
        case (_, true) where numberedPort(rest) == []: .numberedPort
        default: nil
        }
    }

    /// Whether a variable belongs to the set of a recognised service.
    private static func isPart(_ rest: Substring, _ value: String, of facts: Facts) -> Bool {
        if let fact = fact(rest, value) { return fact != .name || facts.isDocker && !facts.isKubernetes }
        switch numberedPort(rest) {
        case ["PROTO"]?: return ["tcp", "udp", "sctp"].contains(value)
        case ["PORT"]?: return isNumber(value[...])
        case ["ADDR"]?: return true
        default: break
        }
        if rest == "SERVICE_PORT" || rest.begins(with: "SERVICE_PORT_") {
            return facts.isKubernetes && isNumber(value[...])
        }
        // The variables of the linked container itself.
        return rest.begins(with: "ENV_") && facts.isSuperset(of: [.port, .numberedPort, .name])
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
