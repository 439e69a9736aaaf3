import SharedState

extension Container {
    /// Adds a registration, or replaces the registration of the same key.
    ///
    /// - Parameters:
    ///   - registration: the new registration.
    ///   - old: the expected registration of the key. If the container has another one, this method does nothing. If
    ///     `old` is nil, the method always inserts.
    func insert(_ registration: Registration, inPlaceOf old: Registration? = nil) {
        change { registry in
            if !registry.closing.isOpen { return [] }
            if let old, registry.registration(of: old.key) !== old { return [] }
            return registry.add(registration)
        }
    }

    /// Replaces all registrations at once, and closes the instances.
    package func replaceAll(with registrations: [Registration]) {
        var records: [ServiceRecord] = []
        change { registry in
            registry.closing.activities += 1
            if !registry.closing.isOpen { return [] }
            records = registry.closing.removeRecords { _ in true }
            return registry.replaceAll(with: registrations)
        }
        run(records.hooksInOrder)
    }

    /// Removes all registrations and their instances, and closes the instances as `reset(_:)` does. The properties do
    /// not change.
    public func removeAll() { replaceAll(with: []) }
}
