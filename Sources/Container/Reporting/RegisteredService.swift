import SharedState

/// A registration of a container, and the facts that are known about its instance. See `Container.registrations`.
public struct RegisteredService: Sendable, CustomStringConvertible {
    /// A service that the instance depends on: its factory or a completion has got it from the resolver.
    public struct Dependency: Hashable, Sendable {
        /// The type and the name of the service, as in `RegisteredService.service`.
        public let service: String
        /// Whether the instance has got a `Lazy` or a `Provider` of it.
        public let isDeferred: Bool
        /// The key by which callers resolve it.
        package let key: ServiceKey
    }

    /// The type by which callers resolve the service.
    public let type: Any.Type
    /// The name of the registration, or nil if it has none.
    public let name: String?
    /// The type and the name, such as `Clock "utc"`, with the types of the runtime arguments if there are any. If
    /// another registered type has the same name, enough of the context is added to tell them apart: `Client.Config`.
    public let service: String
    /// The name of the scope, or "given by child" for a service that each child container has itself.
    public let scope: String
    /// The file and the line of the registration, such as `Service/Services.swift:12`, or nil if that is not known.
    public let place: String?
    /// The place of the registration that this registration has replaced, or nil.
    public let replacedPlace: String?
    /// The service whose instances this registration returns as another type (`implements`), or nil.
    public let target: String?
    /// Whether a shared instance exists in the container.
    public let hasInstance: Bool
    /// Whether the service follows its settings.
    public let followsSettings: Bool
    /// The services that the shared instance depends on, itself or through unshared services, sorted by their names. Empty
    /// if no instance exists.
    public let dependencies: [Dependency]
    /// The names of the properties that the shared instance has read, sorted. Only a service that follows its settings
    /// records them.
    public let reads: [String]
    /// The keys of the service, and of `target` if callers can resolve that.
    package let key: ServiceKey
    package let targetKey: ServiceKey?
    /// Whether the dependencies of the service are known: an instance exists, or the registration
    /// only forwards to another one.
    package let isKnown: Bool

    /// The registration in one line: its service, scope and place, and the known facts about its instance.
    public var description: String {
        var parts = [scope]
        if let place { parts.append(Self.shortened(place)) }
        if let replacedPlace { parts.append("replaces \(Self.shortened(replacedPlace))") }
        if let target { parts.append("as \(target)") }
        if followsSettings { parts.append("follows its settings") }
        if hasInstance { parts.append("has an instance") }
        var line = "\(service): \(parts.joined(separator: ", "))"
        if !dependencies.isEmpty {
            let all = dependencies.map { $0.isDeferred ? "\($0.service) later" : $0.service }
            line += "; depends on \(all.joined(separator: ", "))"
        }
        if !reads.isEmpty { line += "; reads \(reads.joined(separator: ", "))" }
        return line
    }

    /// A place without the module.
    private static func shortened(_ place: String) -> String {
        place.split(separator: "/").last.map(String.init) ?? place
    }
}

extension Container {
    /// The registrations of this container, sorted by the names of their services, with the known facts about the
    /// shared instances that exist at this time.
    ///
    /// If an instance has taken a service through an unshared service, the service counts as its own dependency. An
    /// unshared service has no instance, so its dependencies are not known.
    public var registrations: [RegisteredService] { registrations(names) }

    private func registrations(_ names: ServiceNames) -> [RegisteredService] {
        let (all, current) = registry.withRead { ($0.places, $0.allCurrent) }
        let ended = current.filter { $0.phase.hasEnded }.map { (ObjectIdentifier($0.registration), $0) }
        let complete = Dictionary(ended) { first, _ in first }
        let services = all.filter { !$0.registration.key.isHidden }.map { registration, replacedPlace in
            // Nobody resolves a hidden service itself, so its facts belong to the other type.
            let builder = builder(of: registration)
            let own = registration.target?.isHidden == false ? registration : builder
            return RegisteredService(
                registration, of: builder.options, replacedPlace: replacedPlace, complete[ObjectIdentifier(own)], names)
        }
        return services.sorted { ($0.service, $0.place ?? "") < ($1.service, $1.place ?? "") }
    }

    /// The registrations of this container, and the registrations of its parents whose services it does not register
    /// itself.
    package var visibleRegistrations: [RegisteredService] {
        sequence(first: self, next: \.parent).reduce(into: []) { found, container in
            let known = Set(found.map(\.key))
            found += container.registrations(names).filter { !known.contains($0.key) }
        }
    }
}

extension RegisteredService {
    fileprivate init(
        _ registration: Registration, of options: RegistrationOptions, replacedPlace: SourcePlace?,
        _ shared: SharedInstance?, _ names: ServiceNames
    ) {
        key = registration.key
        targetKey = registration.target.flatMap { $0.isHidden ? nil : $0 }
        type = registration.key.service
        name = registration.key.qualifier.name
        service = names.fullText(of: registration.key)
        scope = options.isGivenByChild ? "given by child" : options.scope.description
        place = registration.options.place?.description
        self.replacedPlace = replacedPlace?.description
        target = registration.target.map(names.targetText)
        hasInstance = shared.map { $0.phase.instance != nil } ?? false
        isKnown = hasInstance || registration.target.map { !$0.isHidden } ?? false
        followsSettings = registration.follows
        let all = Set(
            (shared?.taken.dependencies ?? []).map {
                Dependency(service: names.fullText(of: $0.key), isDeferred: $0.isDeferred, key: $0.key.visible)
            })
        dependencies = all.sorted { ($0.service, $0.isDeferred ? 1 : 0) < ($1.service, $1.isDeferred ? 1 : 0) }
        reads = shared?.reads?.names ?? []
    }
}

extension Container: CustomStringConvertible {
    /// A line with the number of registrations and properties, and a line for each registration, as `registrations` has
    /// them. No line has the value of a setting.
    public var description: String {
        let all = registrations
        let count = all.count == 1 ? "1 registration" : "\(all.count) registrations"
        let lines = all.map { "\n  \($0)" }.joined()
        return "Container with \(count) and \(properties.snapshot)\(lines.isEmpty ? "" : ":\(lines)")"
    }
}
