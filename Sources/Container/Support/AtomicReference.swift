import Synchronization

/// A strong reference that is read and written atomically.
///
/// Reading takes no reference count: who reads has to know by other means that the object lives.
@safe
struct AtomicReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
    // @unchecked: the pointer is atomic, and all that it points to here is safe to share.
    private let pointer: Atomic<UnsafeRawPointer?>

    init(_ object: Object? = nil) {
        unsafe pointer = Atomic(Self.retained(object))
    }

    deinit { _ = exchange(nil) }

    @inline(__always)
    func load() -> Unmanaged<Object>? {
        guard let raw = unsafe pointer.load(ordering: .acquiring) else { return nil }
        return unsafe Unmanaged.fromOpaque(raw)
    }

    /// The address alone, in the one order of all sequentially consistent operations.
    @inline(__always)
    func address() -> UInt { UInt(bitPattern: unsafe pointer.load(ordering: .sequentiallyConsistent)) }

    /// Puts another object in its place.
    ///
    /// - Returns: the former one, with the reference that was held here.
    func exchange(_ object: Object?) -> Object? {
        guard let raw = unsafe pointer.exchange(Self.retained(object), ordering: .sequentiallyConsistent) else {
            return nil
        }
        return unsafe Unmanaged<Object>.fromOpaque(raw).takeRetainedValue()
    }

    /// Puts another object in its place, if it holds what is expected.
    func replace(_ expected: Object?, with object: Object) -> Bool {
        let new = unsafe Self.retained(object)
        let old = unsafe expected.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
        guard unsafe pointer.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
        else {
            unsafe Unmanaged.passUnretained(object).release()
            return false
        }
        if let expected { unsafe Unmanaged.passUnretained(expected).release() }
        return true
    }

    private static func retained(_ object: Object?) -> UnsafeRawPointer? {
        unsafe object.map { unsafe UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
    }
}
