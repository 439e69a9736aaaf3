/// The bytes of a source while it is parsed: a copy, the zeros that end it, and room for the text of what has escapes.
@safe struct SourceBuffer: ~Copyable {
    let base: UnsafeMutablePointer<UInt8>
    let capacity: Int
    /// How many bytes the source has.
    let count: Int

    /// Copies a source.
    init(_ source: [UInt8]) {
        count = source.count
        capacity = 2 * count + 2 * Cursor.padding
        unsafe base = .allocate(capacity: capacity)
        unsafe LargeMemory.advise(base, count: count)
        unsafe source.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { unsafe base.update(from: start, count: bytes.count) }
        }
        unsafe (base + count).update(repeating: 0, count: Cursor.padding)
    }

    deinit { unsafe base.deallocate() }

    /// Gives up the memory. The caller must free it.
    consuming func finish() -> UnsafeMutablePointer<UInt8> {
        let bytes = unsafe base
        discard self
        return unsafe bytes
    }
}
