import SharedState

extension Container: CustomStringConvertible {
    /// The registrations with their scopes and whether their instances exist, and the number of properties.
    ///
    /// It has a line for each registration, sorted by type and name; the parents follow.
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
