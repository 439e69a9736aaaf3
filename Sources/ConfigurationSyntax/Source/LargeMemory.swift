#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Memory for large documents, for which the system is asked for large pages.
///
/// Half the time of parsing 10 MB went into the first touch of each 4 KB page. It is advice: nothing depends on it.
@usableFromInline
package enum LargeMemory {
    @usableFromInline static var page: Int { 2 << 20 }

    /// Memory for so many values, to be freed with `deallocate`; on a boundary of large pages where it has several.
    static func allocate<Value: BitwiseCopyable>(
        _ count: Int, of type: Value.Type = Value.self
    ) -> UnsafeMutablePointer<Value> {
        let size = count * MemoryLayout<Value>.stride
        guard size >= 2 * page else { return .allocate(capacity: count) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: page)
        unsafe advise(memory, count: size)
        return unsafe memory.bindMemory(to: Value.self, capacity: count)
    }

    /// An empty array with room for so many values.
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

    /// Says that so many bytes will be touched.
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
