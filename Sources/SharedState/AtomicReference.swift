public import Synchronization

/// A strong reference, or nil, that any number of threads read without a lock while others replace it.
///
/// A writer waits until no reader uses the replaced object and can then release it, so replaced objects do not
/// accumulate.
@usableFromInline
package struct AtomicReference<Object: AnyObject>: ~Copyable, Sendable {
    @usableFromInline let reference: UnprotectedReference<Object>
    @usableFromInline package let hazard = Hazard()

    /// Creates a reference to an object, or nil.
    package init(_ object: Object? = nil) { reference = UnprotectedReference(object) }

    /// The object, retained for the caller.
    @inlinable
    package func copy() -> Object? { hazard.protect { reference.copy() } }

    /// Runs a closure on the object without retaining it.
    ///
    /// - Parameter body: the closure. It must be short, must not block and must not run user code, because writers wait
    ///   for it.
    /// - Returns: the result of the closure, or nil if there is no object.
    @inlinable
    @inline(__always)
    package func withCurrent<Result>(_ body: (Object) -> Result) -> Result? {
        hazard.protect { reference.withObject(body) }
    }

    /// Whether `object` is the current object. Another thread may replace the current object at any time.
    @inlinable
    package func isCurrent(_ object: Object) -> Bool { reference.isCurrent(object) }

    /// Replaces the object.
    ///
    /// - Returns: the previous object, or nil. No reader uses it any more, so the caller may release it.
    package func exchange(_ new: Object?) -> Object? {
        let old = reference.exchange(new)
        if old != nil { hazard.waitForReaders() }
        return old
    }

    /// Replaces the object if it is the expected one. The caller must keep the expected object alive until this method
    /// returns.
    ///
    /// - Returns: whether the object was replaced.
    package func replace(_ old: Object?, with new: Object) -> Bool {
        let isDone = reference.replace(old, with: new)
        if isDone { hazard.waitForReaders() }
        return isDone
    }
}

/// A strong reference, or nil, that is read and replaced atomically but does not protect its object from being released
/// during a read.
///
/// The owner of the reference must protect the object: it reads under a hazard, or while no thread can replace the
/// object, and it keeps a replaced object alive until `Hazard.waitForReaders()` has returned.
@usableFromInline
package struct UnprotectedReference<Object: AnyObject>: ~Copyable, Sendable {
    /// The address of an object that this reference has retained, or 0.
    @usableFromInline let address: Atomic<UInt>

    /// Creates a reference to an object, or nil.
    package init(_ object: Object? = nil) { address = Atomic(Self.retained(object)) }

    // No reader can use the reference at this time, because readers keep its owner alive.
    deinit { _ = Self.released(address.load(ordering: .acquiring)) }

    /// The object, not retained.
    @inlinable
    @inline(__always)
    func load() -> Unmanaged<Object>? {
        // Sequentially consistent, so that the load comes after the store of the hazard. A nonzero value is always the
        // address of an object.
        guard let raw = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .sequentiallyConsistent)) else {
            return nil
        }
        return unsafe .fromOpaque(raw)
    }

    /// The object, retained for the caller. The caller must protect the object during this call.
    @inlinable
    package func copy() -> Object? { unsafe load()?.takeUnretainedValue() }

    /// Runs a closure on the object without retaining it. The caller must protect the object during this call.
    ///
    /// - Returns: the result of the closure, or nil if there is no object.
    @inlinable
    @inline(__always)
    package func withObject<Result>(_ body: (Object) -> Result) -> Result? {
        guard let object = unsafe load() else { return nil }
        return unsafe object._withUnsafeGuaranteedRef { body($0) }
    }

    /// Whether `object` is the current object. Another thread may replace the current object at any time.
    @inlinable
    package func isCurrent(_ object: Object) -> Bool { address.load(ordering: .acquiring) == Self.address(object) }

    /// Whether the reference is currently nil. Another thread may change the reference at any time.
    package var isEmpty: Bool { address.load(ordering: .acquiring) == 0 }

    /// Replaces the object.
    ///
    /// - Returns: the previous object, which readers may still use, or nil.
    package func exchange(_ new: Object?) -> Object? {
        Self.released(address.exchange(Self.retained(new), ordering: .sequentiallyConsistent))
    }

    /// Replaces the object if it is the expected one. The caller must keep the expected object alive until no reader
    /// uses it any more.
    ///
    /// - Returns: whether the object was replaced.
    package func replace(_ old: Object?, with new: Object) -> Bool {
        let (expected, desired) = (Self.address(old), Self.retained(new))
        let isDone = address.compareExchange(
            expected: expected, desired: desired, ordering: .sequentiallyConsistent
        ).exchanged
        _ = Self.released(isDone ? expected : desired)
        return isDone
    }

    /// The address of an object, or 0 for nil.
    @usableFromInline
    static func address(_ object: Object?) -> UInt {
        guard let object else { return 0 }
        return unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Retains an object, before the caller publishes it, and returns its address, or 0 for nil.
    private static func retained(_ object: Object?) -> UInt {
        guard let object else { return 0 }
        let address = unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
        // The compiler must not move the retain past this call, because it cannot see what the call does. See
        // `Hazard.end()`.
        _ = unsafe ThreadSlot.own
        return address
    }

    /// Takes over the retain of the object at an address. The object is released when the caller drops the result.
    private static func released(_ address: UInt) -> Object? {
        guard let raw = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged<Object>.fromOpaque(raw).takeRetainedValue()
    }
}

/// A fixed number of references that are read and replaced atomically. As with `UnprotectedReference`, the owner must
/// protect their objects.
@usableFromInline
@safe
package final class UnprotectedReferences<Object: AnyObject>: @unchecked Sendable {
    // @unchecked: the pointer is immutable, and the references are atomic.
    @usableFromInline let references: UnsafeMutablePointer<UnprotectedReference<Object>>
    @usableFromInline package let count: Int

    /// Creates references that are nil.
    package init(count: Int) {
        self.count = count
        unsafe references = .allocate(capacity: count)
        for index in 0..<count { unsafe (references + index).initialize(to: UnprotectedReference()) }
    }

    deinit {
        unsafe references.deinitialize(count: count)
        unsafe references.deallocate()
    }

    /// The object at an index, retained for the caller. The caller must protect the object during this call.
    @inlinable
    package func copy(at index: Int) -> Object? { withObject(at: index) { $0 } }

    /// Runs a closure on the object at an index without retaining it. The caller must protect the object during this
    /// call.
    ///
    /// - Returns: the result of the closure, or nil if there is no object.
    @inlinable
    @inline(__always)
    package func withObject<Result>(at index: Int, _ body: (Object) -> Result) -> Result? {
        precondition(index >= 0 && index < count)
        return unsafe references[index].withObject(body)
    }

    /// Replaces the object at an index.
    ///
    /// - Returns: the previous object, which readers may still use, or nil.
    package func exchange(_ new: Object?, at index: Int) -> Object? {
        precondition(index >= 0 && index < count)
        return unsafe references[index].exchange(new)
    }
}
