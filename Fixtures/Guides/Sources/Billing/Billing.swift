public import Container

/// What an invoice needs.
public struct BillingSettings: Settings {
    /// The price of one in cents.
    @Setting("The price of one in cents", in: 1...) public var price = 500

    /// The defaults. The compiler does not write this initializer for a public type.
    public init() {}
}

/// Writes invoices.
public struct Invoices: Sendable {
    let price: Int

    /// Returns the text of an invoice.
    public func text(for count: Int) -> String { "\(count) for \(count * price) cents" }
}

/// Registers the services of this target.
public struct BillingAssembly: Assembly {
    /// Creates the assembly.
    public init() {}

    /// Declares the settings, and registers the services.
    public func assemble(container: Container) {
        container.declare(BillingSettings.self, at: "billing")
        container.register(Invoices.self) { r in Invoices(price: try r.settings(BillingSettings.self).price) }
            .inObjectScope(.container)
    }
}
