package import Synchronization

/// A strong reference, or nil, that any number of threads read with no lock while others replace it.
///
/// What is replaced is given back to the writer as soon as no reader is looking at it, so it does not pile up.
package struct AtomicReference<Object: AnyObject>: ~Copyable, Sendable {
    /// The address of an object that this owns one reference to; 0 for nil.
    package let address: Atomic<UInt>

    /// Starts with an object, or with nil.
    package init(_ object: Object? = nil) { address = Atomic(Self.retained(object)) }

    // Nobody reads this any more: a reader keeps what it is a part of. But another reference may have the same object.
    deinit {
        let address = address.load(ordering: .acquiring)
        Self.retire(address)
        _ = Self.released(address)
    }

    /// The object, for as long as the caller likes.
    package func copy() -> Object? { withCurrent { $0 } }

    /// Looks at the object, with no reference counted.
    ///
    /// - Parameter body: must be short and call nothing that might wait or run a user's code: a writer waits for it.
    /// - Returns: what the body gives; nil where there is no object.
    @inline(__always)
    package func withCurrent<Result>(_ body: (Object) -> Result) -> Result? {
        guard let hazard = Hazard.protect(address) else { return nil }
        defer { Hazard.clear() }
        return unsafe hazard.object()._withUnsafeGuaranteedRef { body($0) }
    }

    /// Whether an object is the current one at this moment.
    package func isCurrent(_ object: Object) -> Bool { address.load(ordering: .acquiring) == Self.address(object) }

    /// Puts another object in place.
    ///
    /// - Returns: the one that was there. Nobody looks at it any more, so its last release may run at the caller's ease.
    package func exchange(_ new: Object?) -> Object? {
        let old = address.exchange(Self.retained(new), ordering: .sequentiallyConsistent)
        Self.retire(old)
        return Self.released(old)
    }

    /// Puts another object in place of an expected one.
    ///
    /// - Returns: whether it was there. The caller has a reference to it, so nothing is released here.
    package func replace(_ old: Object?, with new: Object) -> Bool {
        let (expected, desired) = (Self.address(old), Self.retained(new))
        let isDone = address.compareExchange(
            expected: expected, desired: desired, ordering: .sequentiallyConsistent
        ).exchanged
        if isDone { Self.retire(expected) }
        _ = Self.released(isDone ? expected : desired)
        return isDone
    }

    /// Sees to it that nobody looks at an object any more, nor has references to it ahead.
    private static func retire(_ address: UInt) {
        if address == 0 { return }
        ThreadSlot.forEach { slot in
            Hazard.wait(for: address, in: slot)
            Reserve.giveUp(address, in: slot)
            // Its thread may just have taken one to release it, which it does under a hazard.
            Hazard.wait(for: address, in: slot)
        }
    }

    // What is retained here is published by an exchange, never by a store: the optimizer moves a retain down past a store.
    // No `map`: another module's references are not specialised, and a closure would look up their types.

    private static func address(_ object: Object?) -> UInt {
        guard let object else { return 0 }
        return unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private static func retained(_ object: Object?) -> UInt {
        guard let object else { return 0 }
        return unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    }

    private static func released(_ address: UInt) -> Object? {
        guard let raw = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged<Object>.fromOpaque(raw).takeRetainedValue()
    }
}
