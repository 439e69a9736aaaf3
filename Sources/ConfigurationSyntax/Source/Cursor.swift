import TextBasics

/// A position in a source, and the functions that advance it.
///
/// This is the only file of the parsers that accesses memory without bounds checks. It is safe because
/// - the memory outlives the parser and its cursor: see `SyntaxDocument.init`;
/// - `offset` is never past `count`: a caller advances only over bytes that it has read, and the zeros behind the
///   source stop every scan;
/// - sixteen bytes can be read from any offset up to `count`, because sixteen zeros follow the source, and from any
///   unescaped text, because `append` leaves sixteen bytes free.
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

    /// The number of bytes that a source needs with its zeros and its unescaped text.
    ///
    /// Unescaped text is never longer than its escaped form. After an error, a line may be read a second time.
    static func capacity(for source: [UInt8]) -> Int { 3 * source.count + 2 * padding }

    /// Creates a cursor at the first character of a source.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - buffer: memory for it, whose size is `capacity(for: source)`.
    init(_ source: [UInt8], copiedTo buffer: UnsafeMutableBufferPointer<UInt8>) {
        var end = unsafe buffer.initialize(fromContentsOf: source)
        end = unsafe buffer[end...].initialize(fromContentsOf: repeatElement(0, count: Self.padding))
        bytes = unsafe SourceBytes(buffer: buffer)
        count = source.count
        offset = UTF8Text.start(of: source)
        textEnd = end
    }
}

/// Unchecked access to the source, the zeros behind it, and the unescaped text. Debug builds check the bounds.
@safe struct SourceBytes {
    fileprivate let buffer: UnsafeMutableBufferPointer<UInt8>

    /// The greatest end of the unescaped text.
    fileprivate var textLimit: Int { unsafe buffer.count - Cursor.padding }

    /// The byte at an offset.
    subscript(offset: Int) -> UInt8 { unsafe buffer[offset] }

    /// Returns sixteen bytes as a vector.
    func vector(at offset: Int) -> SIMD16<UInt8> {
        unsafe UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// Returns the hash of a text. Its seed is random per process, so that an attacker cannot prepare colliding keys.
    func hash(_ text: SyntaxText) -> Int {
        var hasher = Hasher()
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[text.range]))
        return hasher.finalize()
    }

    /// Returns whether two texts have the same bytes.
    func isEqual(_ one: SyntaxText, _ other: SyntaxText) -> Bool {
        guard one.count == other.count else { return false }
        let (first, second) = (Int(one.offset), Int(other.offset))
        for index in 0..<Int(one.count) where self[first + index] != self[second + index] { return false }
        return true
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

    /// Returns the offset of the line feed that ends the line of an offset, or of the end of the source.
    func endOfLine(from start: Int) -> Int {
        var offset = start
        while offset < count, bytes[offset] != .newline { offset += 1 }
        return offset
    }

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
        guard textEnd < bytes.textLimit else { return assertionFailure("the text is longer than its source") }
        unsafe bytes.buffer[textEnd] = byte
        textEnd += 1
    }

    /// Appends a part of the source to the unescaped text.
    mutating func append(_ range: Range<Int>) {
        guard range.count <= bytes.textLimit - textEnd else {
            return assertionFailure("the text is longer than its source")
        }
        textEnd = unsafe bytes.buffer[textEnd...].update(fromContentsOf: bytes.buffer[range])
    }

    /// Appends a scalar to the unescaped text.
    mutating func append(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() { append(byte) }
    }
}
