public import Synchronization

/// A value that many threads read and few threads change, with a lock for each group of threads.
///
/// A reader locks the stripe of its thread, so readers on different threads rarely touch the same memory. A writer locks
/// all stripes, in order. Reads scale only if a reader retains nothing that other readers retain: it looks up a part of
/// the value under the lock, and takes a copy of that part along.
///
/// No user code may run under the lock, and a thread must not lock it twice: see `Lock`.
@safe
@frozen
@usableFromInline
package struct StripedLock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // @unchecked: the stripes guard the value. A reader holds one of them and changes nothing, a writer holds all. The
    // value has memory of its own, because a read of a property of a class copies the value, and so retains its parts.
    @usableFromInline let guarded: UnsafeMutablePointer<Value>
    @usableFromInline let stripes: UnsafeMutablePointer<Stripe>
    @usableFromInline let count: Int

    /// Two cache lines long, because some processors fetch lines in pairs.
    @frozen
    @usableFromInline
    struct Stripe: ~Copyable {
        @usableFromInline let lock = Lock(())
        @usableFromInline let padding = (SIMD8<UInt64>(), SIMD8<UInt64>())

        @inlinable
        init() {}
    }

    /// Creates a lock.
    ///
    /// - Parameters:
    ///   - value: the value, which the lock takes over.
    ///   - count: the number of stripes, a power of two. One stripe is a plain lock.
    @inlinable
    package init(_ value: consuming sending Value, stripes count: Int = 16) {
        precondition(count > 0 && count & (count - 1) == 0, "a power of two")
        self.count = count
        // One allocation: the value is behind the stripes, whose alignment suffices for it.
        precondition(
            MemoryLayout<Value>.alignment <= MemoryLayout<Stripe>.alignment, "the stripes are aligned for the value")
        let offset = count * MemoryLayout<Stripe>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<Value>.size, alignment: MemoryLayout<Stripe>.alignment)
        unsafe stripes = memory.bindMemory(to: Stripe.self, capacity: count)
        unsafe guarded = (memory + offset).bindMemory(to: Value.self, capacity: 1)
        unsafe guarded.initialize(to: value)
        for index in 0..<count { unsafe (stripes + index).initialize(to: Stripe()) }
    }

    @inlinable
    deinit {
        unsafe guarded.deinitialize(count: 1)
        // One by one, and not by `deinitialize(count:)`, which destroys each lock by the metadata of its type: 200
        // instructions, and none here.
        for index in 0..<count { _ = unsafe (stripes + index).move() }
        unsafe UnsafeMutableRawPointer(stripes).deallocate()
    }

    /// Runs a closure while no thread changes the value.
    ///
    /// - Parameter body: the closure. It must be short, because writers wait for it.
    /// - Returns: the result of the closure.
    @inlinable
    package func withRead<Result>(_ body: (borrowing Value) -> Result) -> Result {
        let own = count == 1 ? 0 : Int(truncatingIfNeeded: CurrentThread.scrambledID & UInt64(count - 1))
        var result: Result?
        unsafe stripes[own].lock.withLock { _ in result = unsafe body(guarded.pointee) }
        guard let result = result.take() else { preconditionFailure("the closure has run") }
        return result
    }

    /// Runs a closure while no other thread uses the value.
    ///
    /// - Parameter body: the closure, which may change the value.
    /// - Returns: the result of the closure.
    @inlinable
    package func withWrite<Result>(_ body: (inout Value) -> Result) -> Result {
        var result: Result?
        locked(from: 0) { result = unsafe body(&guarded.pointee) }
        guard let result = result.take() else { preconditionFailure("the closure has run") }
        return result
    }

    /// Runs a closure under the locks of all stripes from an index on. It takes four at once, because a call for each
    /// stripe takes longer than its lock.
    @inlinable
    func locked(from index: Int, _ body: () -> Void) {
        if index == count { return body() }
        guard index + 4 <= count else {
            return unsafe stripes[index].lock.withLock { _ in locked(from: index + 1, body) }
        }
        unsafe stripes[index].lock.withLock { _ in
            unsafe stripes[index + 1].lock.withLock { _ in
                unsafe stripes[index + 2].lock.withLock { _ in
                    unsafe stripes[index + 3].lock.withLock { _ in locked(from: index + 4, body) }
                }
            }
        }
    }
}

extension StripedLock where Value: Copyable {
    /// A copy of the value.
    @inlinable
    package var value: Value { withRead { copy $0 } }
}
