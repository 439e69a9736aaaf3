public import Container

extension Assembler {
    /// Creates an assembler and applies assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies, which are applied in order.
    ///   - container: the container that receives the registrations.
    @available(*, deprecated, renamed: "init(assemblies:container:)")
    public convenience init(_ assemblies: [any Assembly], container: Container = Container()) {
        self.init(container: container)
        apply(assemblies: assemblies)
    }

    /// Creates an assembler with a child of the container of another assembler, and applies assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies, which are applied in order.
    ///   - parent: the other assembler, or nil for a container without a parent.
    @available(*, deprecated, renamed: "init(assemblies:parentAssembler:)")
    public convenience init(_ assemblies: [any Assembly], parent: Assembler?) {
        self.init(parentAssembler: parent)
        apply(assemblies: assemblies)
    }

    /// Creates an assembler with a child of the container of another assembler, and applies assemblies.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies, which are applied in order.
    ///   - parent: the other assembler, or nil for a container without a parent.
    ///   - defaultObjectScope: the scope of registrations without a scope.
    @available(*, deprecated, message: "Set the scope of each registration with inObjectScope(_:)")
    public convenience init(_ assemblies: [any Assembly], parent: Assembler?, defaultObjectScope: ObjectScope) {
        self.init(parentAssembler: parent, defaultObjectScope: defaultObjectScope)
        apply(assemblies: assemblies)
    }

    /// Creates an assembler with a child of the container of another assembler.
    ///
    /// - Parameters:
    ///   - parentAssembler: the other assembler, or nil for a container without a parent.
    ///   - defaultObjectScope: the scope of registrations without a scope.
    @available(*, deprecated, message: "Set the scope of each registration with inObjectScope(_:)")
    public convenience init(parentAssembler: Assembler?, defaultObjectScope: ObjectScope) {
        self.init(container: Container(parent: parentAssembler?.container, defaultScope: defaultObjectScope.scope))
    }
}
