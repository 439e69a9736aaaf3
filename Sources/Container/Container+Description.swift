import SharedState

extension Container: CustomStringConvertible {
    /// A summary of the container for debugging: a title with the number of registrations and properties, a line for
    /// each registration, and the description of the parent.
    ///
    /// The line of a registration has its key, its scope and whether a shared instance exists. The lines are sorted.
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
    /// The line of the registration, such as `Clock "utc" with (Int): container, built`.
    fileprivate var summary: String {
        if let target { return "\(key.fullDescription): the same as \(target.key)" }
        let isBuilt = isWeak ? held != nil : !instance.isEmpty
        return "\(key.fullDescription): \(options.scope)\(isBuilt ? ", built" : "")"
            + (options.isVerified ? "" : ", not verified")
    }
}
