/// A group of registrations that belong together.
public protocol Assembly {
    /// Registers the services of the group. The properties of the assembler's loaders are already applied.
    ///
    /// - Parameter container: the container to register in.
    func assemble(container: Container)

    /// Called when all assemblies that were applied together have registered theirs.
    ///
    /// - Parameter resolver: a resolver of the container.
    func loaded(resolver: Resolver)
}

extension Assembly {
    /// Does nothing.
    public func loaded(resolver: Resolver) {}
}

/// Applies property loaders and assemblies to a container: the properties first, so that assemblies can read them.
public final class Assembler: Sendable {
    private let container: Container

    /// A resolver of what the assemblies have registered. Each resolve starts a new graph.
    public var resolver: Resolver { Resolver(container: container, token: 0) }

    /// Creates an assembler without assemblies.
    ///
    /// - Parameter container: the container to apply to.
    public init(container: Container = Container()) { self.container = container }

    /// Creates an assembler whose container is a child of the container of another assembler.
    ///
    /// - Parameter parentAssembler: the other assembler, or nil.
    public init(parentAssembler: Assembler?) { container = Container(parent: parentAssembler?.container) }

    /// Creates an assembler and applies loaders and assemblies.
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

    /// Creates an assembler whose container is a child of another one's, and applies loaders and assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: applied in their order, after all loaders.
    ///   - parentAssembler: the other assembler, or nil.
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
    /// - Parameter assembly: registers its services; then its `loaded(resolver:)` is called.
    public func apply(assembly: any Assembly) { apply(assemblies: [assembly]) }

    /// Applies assemblies: all register their services before the first `loaded(resolver:)` is called.
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
