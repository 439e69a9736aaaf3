/// A group of registrations that belong together.
public protocol Assembly {
    /// Registers the services of the group.
    ///
    /// The assembler has already applied its property loaders, so an assembly can read properties.
    ///
    /// - Parameter container: the container that gets the registrations.
    func assemble(container: Container)

    /// Runs after all assemblies of the same `apply` call have registered their services.
    ///
    /// - Parameter resolver: resolves services from the container.
    func loaded(resolver: Resolver)
}

extension Assembly {
    /// The default implementation, which does nothing.
    public func loaded(resolver: Resolver) {}
}

/// Applies property loaders, and then assemblies, to a container. Assemblies can therefore read the properties.
public final class Assembler: Sendable {
    package let container: Container

    /// A resolver of the assembler's container. Each resolve starts a new graph.
    public var resolver: Resolver { container.resolver }

    /// Creates an assembler and applies assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies, which are applied in order.
    ///   - container: the container that receives the registrations and properties.
    ///   - overrides: replaces registrations, for a test. It runs when all assemblies have registered their services,
    ///     before the first `loaded(resolver:)`.
    public init(
        assemblies: [any Assembly] = [], container: Container = Container(),
        overriding overrides: (Container) -> Void = { _ in }
    ) {
        self.container = container
        apply(assemblies, overriding: overrides)
    }

    /// Creates an assembler and applies loaders and assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies, which are applied in order, after all loaders.
    ///   - propertyLoaders: the loaders, which are applied in order.
    ///   - container: the container that receives the registrations and properties.
    ///   - overrides: replaces registrations, for a test. It runs when all assemblies have registered their services,
    ///     before the first `loaded(resolver:)`.
    /// - Throws: all problems of the sources.
    public convenience init(
        assemblies: [any Assembly], propertyLoaders: [any PropertyLoader], container: Container = Container(),
        overriding overrides: (Container) -> Void = { _ in }
    ) throws(ConfigurationErrors) {
        try container.properties.apply(PropertySources(propertyLoaders))
        self.init(assemblies: assemblies, container: container, overriding: overrides)
    }

    /// Creates an assembler with a new container, which is a child of the container of another assembler, and applies
    /// assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies, which are applied in order.
    ///   - parentAssembler: the other assembler, or nil for a container without a parent.
    public convenience init(assemblies: [any Assembly] = [], parentAssembler: Assembler?) {
        self.init(assemblies: assemblies, container: Container(parent: parentAssembler?.container))
    }

    /// Creates an assembler with a new container, which is a child of the container of another assembler, and applies
    /// loaders and assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies, which are applied in order, after all loaders.
    ///   - parentAssembler: the other assembler, or nil for a container without a parent.
    ///   - propertyLoaders: the loaders, which are applied in order.
    /// - Throws: all problems of the sources.
    public convenience init(
        assemblies: [any Assembly], parentAssembler: Assembler?, propertyLoaders: [any PropertyLoader]
    ) throws(ConfigurationErrors) {
        let container = Container(parent: parentAssembler?.container)
        try self.init(assemblies: assemblies, propertyLoaders: propertyLoaders, container: container)
    }

    /// Loads properties into the container.
    ///
    /// - Parameter loader: the loader of the properties.
    /// - Throws: a `ConfigurationErrors` with all problems. The properties do not change then.
    public func applyPropertyLoader(_ loader: some PropertyLoader) throws { try container.applyPropertyLoader(loader) }

    /// Lets an assembly register its services, and then calls its `loaded(resolver:)`.
    ///
    /// - Parameter assembly: the assembly.
    public func apply(assembly: any Assembly) { apply(assemblies: [assembly]) }

    /// Lets assemblies register their services, and then calls `loaded(resolver:)` of each.
    ///
    /// - Parameter assemblies: the assemblies, which are applied in order.
    public func apply(assemblies: [any Assembly]) { apply(assemblies) { _ in } }

    private func apply(_ assemblies: [any Assembly], overriding overrides: (Container) -> Void) {
        for assembly in assemblies { assembly.assemble(container: container) }
        overrides(container)
        for assembly in assemblies { assembly.loaded(resolver: resolver) }
    }
}

extension Container {
    /// Lets assemblies register their services in this container, and then calls `loaded(resolver:)` of each.
    ///
    ///     container.apply(assemblies: [DatabaseAssembly(), OrderAssembly()])
    ///     await container.run(sources) { container in … }
    ///
    /// Before a start, no source is loaded, so an assembly reads properties in its factories.
    ///
    /// - Parameter assemblies: the assemblies, which are applied in order.
    public func apply(assemblies: [any Assembly]) { Assembler(container: self).apply(assemblies: assemblies) }

    /// Lets an assembly register its services in this container, and then calls its `loaded(resolver:)`.
    ///
    /// - Parameter assembly: the assembly.
    public func apply(assembly: any Assembly) { apply(assemblies: [assembly]) }
}
