import TextBasics

/// A place in a source that ends in zero bytes, and the means to move on.
///
/// This is the one file of the parsers that reads memory without checks. It is safe since
/// - the bytes live as long as the document that is parsed, which the parser owns beside its cursor;
/// - `offset` is never past `count`: who advances has seen that the bytes to be passed are not the end's zeros;
/// - sixteen zero bytes follow the source, so a look ahead of sixteen bytes from there stays inside;
/// - unescaped text is no longer than what it stands for, so it fits behind the zeros, and `append` checks it again.
@safe struct Cursor {
    /// The bytes that it moves over.
    let bytes: SourceBytes
    /// How many bytes the source has.
    let count: Int
    /// Where the cursor is.
    private(set) var offset: Int
    /// Where the unescaped text ends, which stands behind the source and its zeros.
    private(set) var textEnd: Int

    /// How many zero bytes end a source.
    static let padding = 16

    /// Makes a cursor at the start of a source.
    init(_ source: borrowing SourceBuffer) {
        bytes = unsafe SourceBytes(base: source.base, capacity: source.capacity)
        count = source.count
        offset = source.start
        textEnd = count + Self.padding
    }
}

/// The bytes of a source, its zeros, and the unescaped text behind them.
@safe struct SourceBytes {
    fileprivate let base: UnsafeMutablePointer<UInt8>
    fileprivate let capacity: Int

    /// The byte at a place of the source, or up to fifteen behind its end, or in the unescaped text.
    subscript(place: Int) -> UInt8 {
        assert(place >= 0 && place < capacity)
        return unsafe base[place]
    }

    /// Eight bytes from a place on, the first one lowest.
    func word(at place: Int) -> UInt64 {
        assert(place >= 0 && place + 8 <= capacity)
        return unsafe UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
    }

    /// Sixteen bytes from a place on.
    func vector(at place: Int) -> SIMD16<UInt8> {
        assert(place >= 0 && place + 16 <= capacity)
        return unsafe UnsafeRawPointer(base + place).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// Reads a date-time from a place on.
    func dateTime(at place: Int) throws(PropertyDateTime.ScanError) -> (value: PropertyDateTime, length: Int) {
        try unsafe PropertyDateTime.scan(UnsafeBufferPointer(start: base + place, count: capacity - place))
    }

    /// Whether two texts are the same bytes.
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

/// The bytes of a source while it is parsed: a copy, the zeros that end it, and room for the text of what has escapes.
@safe struct SourceBuffer: ~Copyable {
    let base: UnsafeMutablePointer<UInt8>
    let capacity: Int
    /// How many bytes the source has.
    let count: Int
    /// The offset of the first character: behind a byte order mark.
    let start: Int

    /// Copies a source.
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

    /// Gives up the memory. The caller must free it.
    consuming func finish() -> UnsafeMutablePointer<UInt8> {
        let bytes = unsafe base
        discard self
        return unsafe bytes
    }
}

// MARK: - Looking

extension Cursor {
    /// The byte at the cursor, zero at the end.
    var byte: UInt8 { bytes[offset] }

    /// Whether the source ends here.
    var isAtEnd: Bool { offset >= count }

    /// The byte some places ahead, at most eight.
    func peek(_ distance: Int) -> UInt8 { bytes[offset + distance] }

    /// The byte at a place of the source.
    func byte(at place: Int) -> UInt8 { bytes[place] }

    /// Eight bytes from a place of the source on, the first one lowest.
    func word(at place: Int) -> UInt64 { bytes.word(at: place) }

    /// The number that so many hexadecimal digits say from a place on, or nil where one of them is none.
    func hexNumber(at place: Int, digits: Int) -> UInt32? {
        var number: UInt32 = 0
        for distance in 0..<digits {
            guard let digit = byte(at: place + distance).hexDigit else { return nil }
            number = number << 4 | digit
        }
        return number
    }
}

// MARK: - Moving

extension Cursor {
    /// Passes bytes that have been looked at and are not the end.
    mutating func advance(_ distance: Int = 1) { move(to: offset + distance) }

    /// Goes to a place that a look ahead has reached.
    mutating func move(to place: Int) {
        assert(place >= 0 && place <= count)
        offset = place
    }

    /// Passes spaces.
    @inline(__always)
    mutating func skipSpaces() { offset = bytes.endOfSpaces(from: offset) }

    /// Passes text up to one of three bytes or a control character, and so at the end too.
    @inline(__always)
    mutating func skipText(until one: UInt8, _ two: UInt8, _ three: UInt8) {
        offset = bytes.endOfText(from: offset, until: one, two, three)
    }
}

// MARK: - Text

extension Cursor {
    /// Puts a byte behind the unescaped text.
    mutating func append(_ byte: UInt8) {
        guard textEnd < bytes.capacity else { return assertionFailure("text outgrew its source") }
        unsafe bytes.base[textEnd] = byte
        textEnd += 1
    }

    /// Puts a part of the source behind the unescaped text.
    mutating func append(_ range: Range<Int>) {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        guard range.count <= bytes.capacity - textEnd else { return assertionFailure("text outgrew its source") }
        unsafe (bytes.base + textEnd).update(from: bytes.base + range.lowerBound, count: range.count)
        textEnd += range.count
    }

    /// Puts a scalar behind the unescaped text, as UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() { append(byte) }
    }
}
