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

/// Applies property loaders and assemblies to a container: the properties first, so that assemblies can read them.
public final class Assembler: Sendable {
    private let container: Container

    /// Resolves what the assemblies have registered, each time afresh.
    public var resolver: Resolver { Resolver(container: container, token: 0) }

    /// Makes an assembler with nothing applied.
    ///
    /// - Parameter container: the container to apply to.
    public init(container: Container = Container()) { self.container = container }

    /// Makes an assembler whose container is a child of another's.
    ///
    /// - Parameter parentAssembler: the other; nil for none.
    public init(parentAssembler: Assembler?) { container = Container(parent: parentAssembler?.container) }

    /// Makes an assembler and applies loaders and assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: applied in their order, after all loaders.
    ///   - propertyLoaders: applied in their order.
    ///   - container: the container to apply to.
    /// - Throws: what a loader throws.
    public convenience init(
        assemblies: [any Assembly], propertyLoaders: [any PropertyLoader] = [], container: Container = Container()
    ) throws {
        self.init(container: container)
        try apply(assemblies, propertyLoaders)
    }

    /// Makes an assembler whose container is a child of another's, and applies loaders and assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: applied in their order, after all loaders.
    ///   - parentAssembler: the other; nil for none.
    ///   - propertyLoaders: applied in their order.
    /// - Throws: what a loader throws.
    public convenience init(
        assemblies: [any Assembly], parentAssembler: Assembler?, propertyLoaders: [any PropertyLoader] = []
    ) throws {
        self.init(parentAssembler: parentAssembler)
        try apply(assemblies, propertyLoaders)
    }

    /// Loads properties into the container.
    ///
    /// - Parameter loader: the source.
    /// - Throws: what the loader throws; the properties stay as they were.
    public func applyPropertyLoader(_ loader: some PropertyLoader) throws { try container.applyPropertyLoader(loader) }

    /// Applies an assembly.
    ///
    /// - Parameter assembly: registers its services, and is then told that it is loaded.
    public func apply(assembly: any Assembly) { apply(assemblies: [assembly]) }

    /// Applies assemblies: all register before the first is told that it is loaded.
    ///
    /// - Parameter assemblies: applied in their order.
    public func apply(assemblies: [any Assembly]) {
        for assembly in assemblies { assembly.assemble(container: container) }
        for assembly in assemblies { assembly.loaded(resolver: resolver) }
    }

    private func apply(_ assemblies: [any Assembly], _ loaders: [any PropertyLoader]) throws {
        try container.applyPropertyLoaders(loaders)
        apply(assemblies: assemblies)
    }
}
