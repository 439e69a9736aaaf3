import Synchronization

/// The current one of a row of immutable objects.
final class Published<Value: AnyObject & Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func load() -> Value {
        value.withLock { $0 }
    }

    /// Puts another object in place and gives back the one that was there, for its last release to be outside any lock.
    func exchange(_ new: Value) -> Value {
        value.withLock { current in
            defer { current = new }
            return current
        }
    }
}
