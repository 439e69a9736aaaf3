/// What a registration is found by: its type, its factory's runtime arguments, its qualifier.
package struct ServiceKey: Equatable, Sendable {
    package let service: Any.Type
    /// The tuple of the arguments' types; `Void` where there are none.
    let arguments: Any.Type
    let qualifier: Qualifier

    /// Of type and qualifier alone, so that a search for other arguments walks the same slots.
    var hash: UInt64 {
        let type = UInt64(UInt(bitPattern: ObjectIdentifier(service)))
        let name = qualifier.name.map { UInt64(truncatingIfNeeded: $0.hashValue) } ?? 0
        return (type ^ name) &* 0x9E37_79B9_7F4A_7C15
    }

    var hasNoArguments: Bool { ObjectIdentifier(arguments) == ObjectIdentifier(Void.self) }

    func hasService(of other: ServiceKey) -> Bool {
        ObjectIdentifier(service) == ObjectIdentifier(other.service) && qualifier == other.qualifier
    }

    package static func == (one: ServiceKey, other: ServiceKey) -> Bool {
        one.hasService(of: other) && ObjectIdentifier(one.arguments) == ObjectIdentifier(other.arguments)
    }
}
