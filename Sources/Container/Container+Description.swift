import SharedState

extension Container: CustomStringConvertible {
    /// What is registered, in which scope, and what is built; of the properties their number alone.
    ///
    /// A line for each registration, sorted by type and name; the parents follow.
    public var description: String {
        let registrations = ownRegistrations.map(\.summary).sorted()
        let count = registrations.count == 1 ? "1 registration" : "\(registrations.count) registrations"
        let properties = properties.entries.count
        let title = "Container: \(count), \(properties == 1 ? "1 property" : "\(properties) properties")"
        let lines = [title] + registrations.map { "  \($0)" }
        return (lines + (parent.map { ["Parent: \($0)"] } ?? [])).joined(separator: "\n")
    }
}

extension Registration {
    /// `Clock "utc" with (Int): container, built`.
    fileprivate var summary: String {
        if let target { return "\(key.fullDescription): the same as \(target.key)" }
        let isBuilt = isWeak ? held != nil : !instance.isEmpty
        return "\(key.fullDescription): \(options.scope)\(isBuilt ? ", built" : "")"
            + (options.isVerified ? "" : ", not verified")
    }
}
