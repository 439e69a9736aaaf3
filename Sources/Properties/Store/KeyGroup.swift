/// A struct whose stored properties are typed keys, usually with a common prefix.
///
///     struct DatabaseKeys: KeyGroup {
///         let host: TypedKey<String>
///         let port: TypedKey<Int>
///
///         init(under prefix: String) {
///             host = TypedKey("\(prefix).host", default: "localhost")
///             port = TypedKey("\(prefix).port", default: 5432, in: 1...65535)
///         }
///     }
///
/// A property can also be a group. Properties of other types are ignored.
public protocol KeyGroup: Sendable {}

extension PropertyStore {
    /// Declares all keys of groups.
    ///
    ///     store.declare(DatabaseKeys(under: "primary"), DatabaseKeys(under: "replica"))
    ///
    /// - Parameter groups: the groups.
    public func declare(_ groups: any KeyGroup...) {
        declare(groups.flatMap(KeyDeclaration.all))
    }
}

/// A typed key of any type of value.
private protocol AnyTypedKey {
    var declaration: KeyDeclaration { get }
}

extension TypedKey: AnyTypedKey {
    fileprivate var declaration: KeyDeclaration { KeyDeclaration(self) }
}

extension KeyDeclaration {
    /// Returns the declarations of the keys in a group.
    fileprivate static func all(of group: any KeyGroup) -> [KeyDeclaration] {
        Mirror(reflecting: group).children.flatMap { child in
            if let key = child.value as? any AnyTypedKey { return [key.declaration] }
            return (child.value as? any KeyGroup).map(all) ?? []
        }
    }
}
