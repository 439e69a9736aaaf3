public import Synchronization

/// A strong reference, or nil, that any number of threads read without a lock while others replace it.
///
/// An object that is replaced goes back to the writer as soon as no reader uses it, so memory does not grow.
@usableFromInline
package struct AtomicReference<Object: AnyObject>: ~Copyable, Sendable {
    @usableFromInline let reference: UnprotectedReference<Object>
    @usableFromInline package let hazard = Hazard()

    /// Creates a reference to an object, or to nothing.
    package init(_ object: Object? = nil) { reference = UnprotectedReference(object) }

    /// The object, retained for the caller.
    @inlinable
    package func copy() -> Object? { hazard.protect { reference.copy() } }

    /// Runs a closure on the object without retaining it.
    ///
    /// - Parameter body: must be short, wait for nothing and run no user code: a writer waits for it.
    /// - Returns: the result of the closure, or nil if there is no object.
    @inlinable
    @inline(__always)
    package func withCurrent<Result>(_ body: (Object) -> Result) -> Result? {
        hazard.protect { reference.withObject(body) }
    }

    /// Whether an object is the current one at this moment.
    @inlinable
    package func isCurrent(_ object: Object) -> Bool { reference.isCurrent(object) }

    /// Replaces the object.
    ///
    /// - Returns: the previous object. No reader uses it any more, so the caller may release it.
    package func exchange(_ new: Object?) -> Object? {
        let old = reference.exchange(new)
        if old != nil { hazard.waitForReaders() }
        return old
    }

    /// Replaces the object if it is the expected one, which the caller must keep alive until this returns.
    ///
    /// - Returns: whether it was replaced.
    package func replace(_ old: Object?, with new: Object) -> Bool {
        let isDone = reference.replace(old, with: new)
        if isDone { hazard.waitForReaders() }
        return isDone
    }
}

/// A strong reference, or nil, that is read and replaced atomically, and does not protect what it refers to.
///
/// Its owner does: it reads under a hazard, or while nobody replaces the object, and it keeps a replaced object until
/// `Hazard.waitForReaders()` has returned.
@usableFromInline
package struct UnprotectedReference<Object: AnyObject>: ~Copyable, Sendable {
    /// The address of an object that this has retained, or 0.
    @usableFromInline let address: Atomic<UInt>

    /// Creates a reference to an object, or to nothing.
    package init(_ object: Object? = nil) { address = Atomic(Self.retained(object)) }

    // Nobody reads the reference any more: a reader keeps its owner alive.
    deinit { _ = Self.released(address.load(ordering: .acquiring)) }

    /// The object, not retained.
    @inlinable
    @inline(__always)
    func load() -> Unmanaged<Object>? {
        // Ordered after the store of the hazard. An address comes from an object, and 0 from nil.
        guard let raw = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .sequentiallyConsistent)) else {
            return nil
        }
        return unsafe .fromOpaque(raw)
    }

    /// The object, retained for the caller. The owner protects it meanwhile.
    @inlinable
    package func copy() -> Object? { unsafe load()?.takeUnretainedValue() }

    /// Runs a closure on the object without retaining it. The owner protects it meanwhile.
    ///
    /// - Returns: the result of the closure, or nil if there is no object.
    @inlinable
    @inline(__always)
    package func withObject<Result>(_ body: (Object) -> Result) -> Result? {
        guard let object = unsafe load() else { return nil }
        return unsafe object._withUnsafeGuaranteedRef { body($0) }
    }

    /// Whether an object is the current one at this moment.
    @inlinable
    package func isCurrent(_ object: Object) -> Bool { address.load(ordering: .acquiring) == Self.address(object) }

    /// Whether there is no object at this moment.
    package var isEmpty: Bool { address.load(ordering: .acquiring) == 0 }

    /// Replaces the object.
    ///
    /// - Returns: the previous object, which readers may still use.
    package func exchange(_ new: Object?) -> Object? {
        Self.released(address.exchange(Self.retained(new), ordering: .sequentiallyConsistent))
    }

    /// Replaces the object if it is the expected one, which the caller must keep alive until no reader uses it.
    ///
    /// - Returns: whether it was replaced.
    package func replace(_ old: Object?, with new: Object) -> Bool {
        let (expected, desired) = (Self.address(old), Self.retained(new))
        let isDone = address.compareExchange(
            expected: expected, desired: desired, ordering: .sequentiallyConsistent
        ).exchanged
        _ = Self.released(isDone ? expected : desired)
        return isDone
    }

    @usableFromInline
    static func address(_ object: Object?) -> UInt {
        guard let object else { return 0 }
        return unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Retains an object before other threads can find it.
    private static func retained(_ object: Object?) -> UInt {
        guard let object else { return 0 }
        let address = unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
        // An opaque call: as in `Hazard.end()`, no retain passes it.
        _ = unsafe ThreadSlot.own
        return address
    }

    private static func released(_ address: UInt) -> Object? {
        guard let raw = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged<Object>.fromOpaque(raw).takeRetainedValue()
    }
}

/// A fixed number of references that are read and replaced atomically, and protected as an `UnprotectedReference` is.
@usableFromInline
@safe
package final class UnprotectedReferences<Object: AnyObject>: @unchecked Sendable {
    // @unchecked: the pointer is set once, and the references are atomic.
    @usableFromInline let references: UnsafeMutablePointer<UnprotectedReference<Object>>
    @usableFromInline package let count: Int

    /// Creates references to nothing.
    package init(count: Int) {
        self.count = count
        unsafe references = .allocate(capacity: count)
        for index in 0..<count { unsafe (references + index).initialize(to: UnprotectedReference()) }
    }

    deinit {
        unsafe references.deinitialize(count: count)
        unsafe references.deallocate()
    }

    /// The object at an index, retained for the caller. The owner protects it meanwhile.
    @inlinable
    package func copy(at index: Int) -> Object? { withObject(at: index) { $0 } }

    /// Runs a closure on the object at an index without retaining it. The owner protects it meanwhile.
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
    /// - Returns: the previous object, which readers may still use.
    package func exchange(_ new: Object?, at index: Int) -> Object? {
        precondition(index >= 0 && index < count)
        return unsafe references[index].exchange(new)
    }
}
