import Synchronization

/// The current one of a row of immutable objects, which any number of threads read with no lock.
///
/// What is replaced is given back to the writer as soon as no reader is looking at it, so it does not pile up.
package final class Published<Value: AnyObject & Sendable>: Sendable {
    // The address of an object that this owns one reference to.
    private let current: Atomic<UInt>

    /// Publishes a first object.
    package init(_ value: Value) {
        current = Atomic(Self.retained(value))
    }

    deinit {
        // Nobody reads any more: a reader holds a reference to this.
        _ = Self.released(current.load(ordering: .acquiring))
    }

    /// The current object, for as long as the caller likes.
    package func load() -> Value {
        copy { $0 }
    }

    /// Looks at the current object, with no reference counted.
    ///
    /// - Parameter body: must be short and call nothing that might wait or run a user's code: a writer waits for it.
    @inline(__always)
    package func withCurrent<Result: BitwiseCopyable>(_ body: (Value) -> Result) -> Result {
        let hazard = Hazard.protect(current)
        defer { hazard.clear() }
        // Safe: the hazard keeps the object, as the comment of `Hazard` proves. What is given back is plain bits.
        return unsafe Self.unmanaged(hazard.address)._withUnsafeGuaranteedRef { body($0) }
    }

    /// Copies something out of the current object.
    ///
    /// - Parameter body: must be short and call nothing that might wait or run a user's code: a writer waits for it.
    @inline(__always)
    package func copy<Result>(_ body: (Value) -> Result) -> Result {
        let hazard = Hazard.protect(current)
        let result = unsafe Self.unmanaged(hazard.address)._withUnsafeGuaranteedRef { body($0) }
        hazard.clearAfterCopy()
        return result
    }

    /// Whether an object is the current one at this moment.
    package func isCurrent(_ value: Value) -> Bool {
        current.load(ordering: .acquiring) == Self.address(value)
    }

    /// Puts another object in place.
    ///
    /// - Returns: the one that was there. Nobody looks at it any more, so its last release may run at the caller's ease.
    package func exchange(_ new: Value) -> Value {
        let old = current.exchange(Self.retained(new), ordering: .sequentiallyConsistent)
        Hazard.wait(for: old)
        return Self.released(old)
    }

    /// Puts another object in place of an expected one.
    ///
    /// - Returns: whether it was there. The caller has a reference to it, so nothing is released here.
    package func replace(_ old: Value, with new: Value) -> Bool {
        let address = Self.retained(new)
        let (isDone, _) = current.compareExchange(
            expected: Self.address(old), desired: address, ordering: .sequentiallyConsistent)
        guard isDone else {
            _ = Self.released(address)
            return false
        }
        Hazard.wait(for: Self.address(old))
        _ = Self.released(Self.address(old))
        return true
    }

    private static func address(_ value: Value) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(value).toOpaque())
    }

    private static func retained(_ value: Value) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passRetained(value).toOpaque())
    }

    private static func released(_ address: UInt) -> Value {
        unsafe unmanaged(address).takeRetainedValue()
    }

    @inline(__always)
    private static func unmanaged(_ address: UInt) -> Unmanaged<Value> {
        // Safe: an address is only ever made of an object, by the three functions above, so it is never 0.
        unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
