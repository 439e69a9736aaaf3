import Properties

extension Container {
    /// Starts to count the reads of properties, with the services whose factories read them, in this container, its
    /// parents and its children.
    ///
    ///     container.startAccessReport()
    ///     try await container.verify()
    ///     for access in container.properties.accessReport { print(access) }
    ///
    /// Reads outside of a synchronous factory have no service.
    public func startAccessReport() {
        properties.startAccessReport { ResolvingThread.current.frame?.registration.key.description }
    }
}
