/// A group of registrations that belong together.
public protocol Assembly {
    /// Registers the group's services. Properties that its assembler was given are there already.
    ///
    /// - Parameter container: the container to register in.
    func assemble(container: Container)

    /// Called when all assemblies that were applied together have registered theirs.
    ///
    /// - Parameter resolver: resolves what is registered.
    func loaded(resolver: Resolver)
}

extension Assembly {
    /// Does nothing.
    public func loaded(resolver: Resolver) {}
}
