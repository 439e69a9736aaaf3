import SharedState

extension Container: CustomStringConvertible, CustomReflectable {
    /// One line with the number of registrations and properties, without any setting.
    ///
    /// Use `dump(container)` to list the registrations.
    public var description: String {
        let count = ownRegistrations.count
        return "Container with \(count == 1 ? "1 registration" : "\(count) registrations") and \(properties.snapshot)"
    }

    /// A line for each registration, sorted, and the parent.
    ///
    /// The line of a registration has its key, its scope and whether a shared instance exists.
    public var customMirror: Mirror {
        let built = registry.withRead { registry in Set(registry.slots.filter { $0.value.instance != nil }.keys) }
        let lines = ownRegistrations.map { $0.summary(isBuilt: built.contains($0.id)) }.sorted(byName: \.self).map {
            (nil as String?, $0 as Any)
        }
        return Mirror(self, children: lines + (parent.map { [("parent", $0)] } ?? []))
    }
}

extension Registration {
    /// The line of the registration, such as `Clock "utc" with (Int): container, built`.
    fileprivate func summary(isBuilt: Bool) -> String {
        if let target { return "\(key.fullDescription): the same as \(target.key)" }
        return
            "\(key.fullDescription): \(options.scope)\(isBuilt ? ", built" : "")\(options.isOnDemand ? ", on demand" : "")"
    }
}
