package import Synchronization

/// A value that is made when it is first asked for. If several threads make it at once, the first result stays.
package struct Lazily<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let value: Value
        @inlinable init(_ value: Value) { self.value = value }
    }
    @usableFromInline let box: AtomicLazyReference<Box>

    // Compiled for each type, because every state of a store has several of these.
    @inlinable package init() { box = AtomicLazyReference() }

    /// Returns the value. The closure that makes it runs without a lock, so it may run user code.
    @inlinable
    package func value(_ make: () -> Value) -> Value { (box.load() ?? box.storeIfNil(Box(make()))).value }
}
