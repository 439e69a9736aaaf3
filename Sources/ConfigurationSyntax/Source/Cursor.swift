import TextBasics

/// A position in a source, and the functions that advance it.
///
/// This is the only file of the parsers that reads memory without bounds checks. It is safe because
/// - the parser owns the bytes and outlives its cursor;
/// - `offset` is never past `count`: a caller advances only over bytes that it has read, and the zeros behind the
///   source stop every scan;
/// - sixteen zero bytes follow the source, so sixteen bytes can be read from any offset up to `count`;
/// - unescaped text is never longer than its escaped form, so the space behind the zeros is sufficient, and `append`
///   checks this as well.
@safe struct Cursor {
    /// Unchecked access to the bytes of the source.
    let bytes: SourceBytes
    /// The length of the source in bytes.
    let count: Int
    /// The offset of the cursor.
    private(set) var offset: Int
    /// The end of the unescaped text, which is stored in the same buffer behind the source and its zeros.
    private(set) var textEnd: Int

    /// The number of zero bytes behind a source.
    static let padding = 16

    /// Creates a cursor at the first character of a source.
    init(_ source: borrowing SourceBuffer) {
        bytes = unsafe SourceBytes(base: source.base, capacity: source.capacity)
        count = source.count
        offset = source.start
        textEnd = count + Self.padding
    }
}

/// Unchecked reads from the buffer of a source: the source, then the zeros, then the unescaped text.
@safe struct SourceBytes {
    fileprivate let base: UnsafeMutablePointer<UInt8>
    fileprivate let capacity: Int

    /// The byte at an offset.
    subscript(offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < capacity)
        return unsafe base[offset]
    }

    /// Returns eight bytes as a word whose lowest byte is the first.
    func word(at offset: Int) -> UInt64 {
        assert(offset >= 0 && offset + 8 <= capacity)
        return unsafe UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
    }

    /// Returns sixteen bytes as a vector.
    func vector(at offset: Int) -> SIMD16<UInt8> {
        assert(offset >= 0 && offset + 16 <= capacity)
        return unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// Parses the date-time that starts at an offset.
    func dateTime(at offset: Int) throws(PropertyDateTime.ScanError) -> (value: PropertyDateTime, length: Int) {
        try unsafe PropertyDateTime.scan(UnsafeBufferPointer(start: base + offset, count: capacity - offset))
    }

    /// Returns whether the `count` bytes at two offsets are equal.
    func isEqual(_ one: Int, _ other: Int, count: Int) -> Bool {
        var done = 0
        while count - done >= 8 {
            guard word(at: one + done) == word(at: other + done) else { return false }
            done += 8
        }
        while done < count {
            guard self[one + done] == self[other + done] else { return false }
            done += 1
        }
        return true
    }
}

/// The memory of a source while it is parsed: a copy of the source, zeros behind it, and space for unescaped text.
@safe struct SourceBuffer: ~Copyable {
    let base: UnsafeMutablePointer<UInt8>
    let capacity: Int
    /// The length of the source in bytes.
    let count: Int
    /// The offset of the first character: 3 after a byte order mark, else 0.
    let start: Int

    /// Creates a buffer with a copy of a source.
    init(_ source: [UInt8]) {
        count = source.count
        start = UTF8Text.start(of: source)
        capacity = 2 * count + 2 * Cursor.padding
        unsafe base = .allocate(capacity: capacity)
        unsafe LargeMemory.advise(base, count: count)
        unsafe source.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { unsafe base.update(from: start, count: bytes.count) }
        }
        unsafe (base + count).update(repeating: 0, count: Cursor.padding)
    }

    deinit { unsafe base.deallocate() }

    /// Transfers ownership of the memory to the caller, which must deallocate it.
    consuming func finish() -> UnsafeMutablePointer<UInt8> {
        let bytes = unsafe base
        discard self
        return unsafe bytes
    }
}

// MARK: - Reading

extension Cursor {
    /// The byte at the cursor, or zero at the end.
    var byte: UInt8 { bytes[offset] }

    /// Whether the cursor is at the end of the source.
    var isAtEnd: Bool { offset >= count }

    /// Returns the byte at a distance after the cursor. The distance must be at most eight bytes.
    func peek(_ distance: Int) -> UInt8 { bytes[offset + distance] }

    /// Returns the byte at an offset.
    func byte(at offset: Int) -> UInt8 { bytes[offset] }

    /// Returns eight bytes as a word whose lowest byte is the first.
    func word(at offset: Int) -> UInt64 { bytes.word(at: offset) }

    /// Returns the value of the hexadecimal digits at an offset, or nil if one of the bytes is not a hexadecimal digit.
    func hexNumber(at offset: Int, digits: Int) -> UInt32? {
        var number: UInt32 = 0
        for distance in 0..<digits {
            guard let digit = byte(at: offset + distance).hexDigit else { return nil }
            number = number << 4 | digit
        }
        return number
    }
}

// MARK: - Moving

extension Cursor {
    /// Advances over bytes. The caller must have read them and must not advance past the end of the source.
    mutating func advance(_ distance: Int = 1) { move(to: offset + distance) }

    /// Moves to an offset. The caller must have read the bytes before it.
    mutating func move(to offset: Int) {
        assert(offset >= 0 && offset <= count)
        self.offset = offset
    }

    /// Advances over spaces.
    @inline(__always)
    mutating func skipSpaces() { offset = bytes.endOfSpaces(from: offset) }

    /// Advances to the next byte that is one of three bytes or a control character.
    ///
    /// It stops at the end of the source at the latest, because the zeros behind the source are control characters.
    @inline(__always)
    mutating func skipText(until one: UInt8, _ two: UInt8, _ three: UInt8) {
        offset = bytes.endOfText(from: offset, until: one, two, three)
    }
}

// MARK: - Text

extension Cursor {
    /// Appends a byte to the unescaped text.
    mutating func append(_ byte: UInt8) {
        guard textEnd < bytes.capacity else { return }
        unsafe bytes.base[textEnd] = byte
        textEnd += 1
    }

    /// Appends a part of the source to the unescaped text.
    mutating func append(_ range: Range<Int>) {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        guard range.count <= bytes.capacity - textEnd else { return }
        unsafe (bytes.base + textEnd).update(from: bytes.base + range.lowerBound, count: range.count)
        textEnd += range.count
    }

    /// Appends a scalar to the unescaped text.
    mutating func append(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() { append(byte) }
    }
}
