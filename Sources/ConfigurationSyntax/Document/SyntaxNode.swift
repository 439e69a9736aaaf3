import TextBasics

/// A value of a document, with its key and a link to its next sibling. It takes 32 bytes.
@usableFromInline
package struct SyntaxNode: BitwiseCopyable, Sendable {
    /// The kind of a value, which decides the meaning of `bits`.
    @usableFromInline
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
        case null
        /// `bits` is 0 or 1.
        case bool
        /// `bits` is an Int64.
        case integer
        /// `bits` is a UInt64 above `Int64.max`.
        case unsigned
        /// `bits` holds the offset and the length of the text, as in `SyntaxText`.
        case bigInteger
        /// `bits` is the bit pattern of a Double.
        case double
        /// `bits` holds the offset and the length of the text, as in `SyntaxText`.
        case string
        /// `bits` is an index into the document's dates.
        case dateTime
        /// `bits` holds the numbers of the first and the last child.
        case array
        /// `bits` holds the numbers of the first and the last child.
        case table
    }

    /// The way in which a TOML table or array was defined. It determines which later definitions may add to it.
    @usableFromInline
    enum Definition: UInt8, BitwiseCopyable, Sendable {
        /// An inline table or a static array, or any table or array of JSON. No later definition may add to it.
        case value
        /// A table that only occurs in the path of a header. A header or a dotted key may still define it.
        case implicit
        /// A table defined by a header.
        case header
        /// A table defined by a dotted key.
        case dotted
        /// An array of tables. More headers may add to it.
        case arrayOfTables
    }

    @usableFromInline package var kind: Kind
    @usableFromInline var definition = Definition.value
    /// Whether a table has an index of its keys. If it has, `extra` is the number of the index.
    @usableFromInline var isIndexed = false
    /// Whether a later child of the same object has the same key and supersedes this one.
    @usableFromInline var isSuperseded = false
    /// The number of the next child of the same parent, or 0 if there is none.
    @usableFromInline var next: UInt32 = 0
    /// The offset of the value.
    @usableFromInline package var start: UInt32
    /// The offset and the length of the key's text.
    @usableFromInline let keyOffset: UInt32
    @usableFromInline let keyCount: UInt32
    /// The number of children of a table or an array, or the number of its index if it has one.
    @usableFromInline var extra: UInt32 = 0
    @usableFromInline package var bits: UInt64

    init(kind: Kind, start: UInt32, keyOffset: UInt32, keyCount: UInt32, bits: UInt64) {
        self.kind = kind
        self.start = start
        self.keyOffset = keyOffset
        self.keyCount = keyCount
        self.bits = bits
    }

    /// The number of the first child, or 0 if there is none.
    @inlinable
    package var first: UInt32 {
        get { UInt32(truncatingIfNeeded: bits) }
        set { bits = bits & ~0xFFFF_FFFF | UInt64(newValue) }
    }

    /// The number of the last child, or 0. Only `DocumentBuilder.link` sets it.
    @inlinable
    package var last: UInt32 {
        get { UInt32(truncatingIfNeeded: bits >> 32) }
        set { bits = bits & 0xFFFF_FFFF | UInt64(newValue) << 32 }
    }

    /// The range of the text of a string or a big integer.
    @inlinable
    package var text: Range<Int> { Int(first)..<Int(first) + Int(last) }

    /// The range of the key's text.
    @inlinable
    package var key: Range<Int> { Int(keyOffset)..<Int(keyOffset) + Int(keyCount) }
}

/// A range of text, as it is stored in the `bits` of a node.
struct SyntaxText {
    /// The offset of the text. Unescaped text is stored behind the source.
    let offset: UInt32
    let count: UInt32

    init(_ range: Range<Int>) {
        offset = UInt32(truncatingIfNeeded: range.lowerBound)
        count = UInt32(truncatingIfNeeded: range.count)
    }

    var bits: UInt64 { UInt64(offset) | UInt64(count) << 32 }
}

/// A key that was read, and whose node does not exist yet.
@usableFromInline
struct SyntaxKey {
    /// The offset of the key's text. Unescaped text is stored behind the source.
    @usableFromInline let offset: UInt32
    @usableFromInline let count: UInt32
    /// The offset in the source at which the key starts. For a quoted key, it is the offset of the quote.
    @usableFromInline let start: UInt32

    init(_ text: SyntaxText, at start: Int) {
        offset = text.offset
        count = text.count
        self.start = UInt32(truncatingIfNeeded: start)
    }

    /// A placeholder for values without a key: elements of arrays, and the root.
    static var none: SyntaxKey { SyntaxKey(SyntaxText(0..<0), at: 0) }
}
