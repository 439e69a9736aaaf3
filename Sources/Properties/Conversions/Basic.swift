/// The types that nearly every read asks for, converted with no look at conformances.
enum Basic {
    /// The value where it is stored as exactly the type that was asked for; nil says nothing, the other ways remain.
    @inline(__always)
    static func value<T>(_ value: PropertyValue, as type: T.Type) -> T? {
        switch value {
        case .integer(let integer) where type == Int.self: Int(exactly: integer).map { same($0, as: type) }
        case .string(let string) where type == String.self: same(string, as: type)
        case .bool(let bool) where type == Bool.self: same(bool, as: type)
        case .double(let double) where type == Double.self: same(double, as: type)
        default: nil
        }
    }

    /// A value under the name of its own type.
    // Safe: each caller has just seen that `From` and `To` are one type, so the bits mean the same.
    @inline(__always)
    static func same<From, To>(_ value: From, as type: To.Type) -> To {
        unsafe unsafeBitCast(value, to: type)
    }
}
