import SharedState
import Synchronization

/// The values of the settings types that were read in one state. They are decoded once, and errors are not kept.
final class SettingsValues: Sendable {
    private let values = Lock<[Key: Value]>([:])

    /// A value as an object, which a read retains and releases faster than an existential value.
    final class Value: Sendable {
        private let value: any Settings
        init(_ value: any Settings) { self.value = value }

        /// Returns the value as its own type.
        func same<T: Settings>(as type: T.Type) -> T { value.same(as: type) }
    }

    /// A settings type, and the flat name by which it is read, or nil.
    struct Key: Hashable {
        let type: ObjectIdentifier
        let name: PropertyKey?

        init(_ type: any Settings.Type, _ name: PropertyKey?) {
            (self.type, self.name) = (ObjectIdentifier(type), name)
        }
    }

    /// Returns a value that was read before, or nil.
    func find(_ key: Key) -> Value? { values.withLock { $0[key] } }

    /// Keeps a value, unless another thread has kept a value meanwhile.
    ///
    /// - Returns: the value that is kept.
    func keep(_ value: Value, for key: Key) -> Value {
        values.withLock { values in
            let first = values[key] ?? value
            values[key] = first
            return first
        }
    }
}

extension Settings {
    /// Returns this value as its own type, without a lookup of a conformance or of the metadata of a type.
    fileprivate func same<T>(as type: T.Type) -> T {
        precondition(Self.self == type, "a value is kept with its type")
        return BasicType.uncheckedCast(self, to: type)
    }
}
