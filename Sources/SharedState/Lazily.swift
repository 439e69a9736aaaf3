import Synchronization

/// A value that is made when it is first asked for. If several threads make it at once, the first result stays.
package struct Lazily<Value: Sendable>: ~Copyable, Sendable {
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
    private let box = AtomicLazyReference<Box>()

    package init() {}

    /// Returns the value. The closure that makes it runs without a lock, so it may run user code.
    package func value(_ make: () -> Value) -> Value { (box.load() ?? box.storeIfNil(Box(make()))).value }
}
