package import Synchronization

/// A value that is made when it is first asked for. If several threads make it at once, the first result stays.
package struct Lazily<Value: Sendable>: ~Copyable, Sendable {
    // Not a reference to `LazyBox<Value>`: the reference to a class without parameters is loaded in one instruction, and not
    // by code for any class, which looks up its metadata each time.
    @usableFromInline let box: AtomicLazyReference<AnyLazyBox>

    // Compiled for each type, because every state of a store has several of these.
    @inlinable package init() { box = AtomicLazyReference() }

    /// Returns the value. The closure that makes it runs without a lock, so it may run user code.
    @inlinable
    package func value(_ make: () -> Value) -> Value {
        let box = self.box.load() ?? self.box.storeIfNil(LazyBox(make()))
        // Safe: only this function stores a box, with a value of this type.
        return unsafe unsafeDowncast(box, to: LazyBox<Value>.self).value
    }
}

/// The box of a value of any type.
@usableFromInline
class AnyLazyBox: @unchecked Sendable {
    // @unchecked is safe: it has no state, and the only subclass has a constant.
    @inlinable init() {}
}

@usableFromInline
final class LazyBox<Value: Sendable>: AnyLazyBox, @unchecked Sendable {
    @usableFromInline let value: Value
    @inlinable init(_ value: Value) { self.value = value }
}
