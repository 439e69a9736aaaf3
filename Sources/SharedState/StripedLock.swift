package import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A value that many threads read at the same time and that rarely changes.
///
/// The value exists once in each of 16 stripes, and each stripe has its own lock. A reader locks only the stripe of its
/// thread, so readers on different threads rarely use the same memory. A writer locks all stripes, always in the same
/// order. A thread that has seen a new value never sees an older one, and no other thread does so after it.
///
/// No code of a user may run under the lock, and a thread must not lock a stripe twice: a closure must not read or
/// change the same lock. Reads scale with the number of threads only if a reader retains nothing that all readers
/// share: it looks up a part of the value and returns a copy of that part.
@safe
package final class StripedLock<Value: Sendable>: @unchecked Sendable {
    // @unchecked: the pointer is immutable, this object owns its memory, and the values in it are behind a `Mutex`.
    @usableFromInline let stripes: UnsafeMutablePointer<Stripe>

    @usableFromInline
    struct Stripe: ~Copyable {
        @usableFromInline let value: Mutex<Value>
        // Two cache lines, because some processors fetch lines in pairs. Avoids false sharing between stripes.
        private let padding = SIMD16<UInt64>()

        init(_ value: Value) { self.value = Mutex(value) }
    }

    package init(_ value: Value) {
        unsafe stripes = .allocate(capacity: Stripes.count)
        for index in 0..<Stripes.count { unsafe (stripes + index).initialize(to: Stripe(value)) }
    }

    deinit {
        unsafe stripes.deinitialize(count: Stripes.count)
        unsafe stripes.deallocate()
    }

    /// Runs a closure on the value.
    ///
    /// - Parameter body: the closure. It must be short, because writers wait for it.
    /// - Returns: the result of the closure.
    @inlinable
    package func withRead<Result>(_ body: (borrowing Value) -> Result) -> Result {
        var result: Result?
        unsafe stripes[Stripes.own].value.withLock { result = body($0) }
        return result.unsafelyUnwrapped
    }

    /// The value, retained for the caller.
    package var value: Value { withRead { copy $0 } }

    /// Changes the value.
    ///
    /// - Parameter body: changes the value while no thread reads it.
    /// - Returns: the result of the closure.
    package func withWrite<Result>(_ body: (inout Value) -> Result) -> Result {
        // Former values are released outside of the lock, because that may run the deinit of a user's object.
        var former: [Value] = []
        former.reserveCapacity(Stripes.count)
        var result: Result?
        _ = change(from: 0, &former) { result = body(&$0) }
        return result.unsafelyUnwrapped
    }

    /// Locks the stripes from `index` on, changes the last one, and copies the new value to the others.
    private func change(from index: Int, _ former: inout [Value], _ body: (inout Value) -> Void) -> Value {
        unsafe stripes[index].value.withLock { value in
            former.append(value)
            if index + 1 < Stripes.count {
                value = change(from: index + 1, &former, body)
            } else {
                body(&value)
            }
            return value
        }
    }
}

/// The stripes of all locks.
@usableFromInline
enum Stripes {
    @usableFromInline static let count = 16

    /// The stripe of this thread.
    @usableFromInline static var own: Int {
        // Threads have addresses that are multiples of a page, so the upper bits of a product select the stripe.
        #if canImport(Darwin)
            let thread = unsafe UInt(bitPattern: pthread_self())
        #else
            let thread = UInt(truncatingIfNeeded: UInt(pthread_self()))
        #endif
        return Int(truncatingIfNeeded: (UInt64(thread) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}
