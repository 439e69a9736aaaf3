#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Functions that allocate large memory and advise the kernel to back it with huge pages.
///
/// With pages of 4 KB, page faults took half the time of parsing 10 MB. The advice is best effort.
@usableFromInline
package enum LargeMemory {
    @usableFromInline static var page: Int { 2 << 20 }

    /// Allocates memory for values, aligned to huge pages if it is large. The caller must deallocate it.
    static func allocate<Value: BitwiseCopyable>(
        _ count: Int, of type: Value.Type = Value.self
    ) -> UnsafeMutablePointer<Value> {
        let size = count * MemoryLayout<Value>.stride
        guard size >= 2 * page else { return .allocate(capacity: count) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: page)
        unsafe advise(memory, count: size)
        return unsafe memory.bindMemory(to: Value.self, capacity: count)
    }

    /// Returns an empty array with reserved capacity, which is advised to use huge pages if it is large.
    @inlinable
    package static func array<Value>(of type: Value.Type = Value.self, capacity: Int) -> [Value] {
        var array: [Value] = []
        array.reserveCapacity(capacity)
        let size = capacity * MemoryLayout<Value>.stride
        guard size >= 2 * page else { return array }
        unsafe array.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe advise(start, count: size) }
        }
        return array
    }

    /// Advises the kernel to use huge pages for a range of memory, if the range is large.
    @usableFromInline
    static func advise(_ start: UnsafeMutableRawPointer, count: Int) {
        #if os(Linux)
            guard count >= 2 * page else { return }
            let first = unsafe start.alignedUp(toMultipleOf: page)
            let last = unsafe (start + count).alignedDown(toMultipleOf: page)
            unsafe _ = madvise(first, last - first, MADV_HUGEPAGE)
        #endif
    }
}
