extension Container: CustomStringConvertible {
    /// One line with the number of registrations and properties, without any setting.
    public var description: String {
        let count = ownRegistrations.count
        return "Container with \(count == 1 ? "1 registration" : "\(count) registrations") and \(properties.snapshot)"
    }
}
