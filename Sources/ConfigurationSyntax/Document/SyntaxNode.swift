import TextBasics

/// One value of a document, in 32 bytes, with the key that names it and its next sibling.
@usableFromInline
package struct SyntaxNode: BitwiseCopyable, Sendable {
    /// What kind of value it is, and so what `bits` means.
    @usableFromInline
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
        case null
        /// `bits` is 0 or 1.
        case bool
        /// `bits` is an Int64.
        case integer
        /// `bits` is a UInt64 above `Int64.max`.
        case unsigned
        /// `bits` is a range of the text.
        case bigInteger
        /// `bits` is the bit pattern of a Double.
        case double
        /// `bits` is a range of the text.
        case string
        /// `bits` is an index into the document's dates.
        case dateTime
        /// `bits` is the first and the last child.
        case array
        /// `bits` is the first and the last child.
        case table
    }

    /// How a TOML table or array came to be, which says who may add to it.
    @usableFromInline
    enum Definition: UInt8, BitwiseCopyable, Sendable {
        /// A value: an inline table, a static array; JSON knows no other. Closed.
        case value
        /// A table that a header's path passed through: a header or a dotted key may still define it.
        case implicit
        /// A table that a header defined.
        case header
        /// A table that a dotted key defined.
        case dotted
        /// An array of tables, which more headers may add to.
        case arrayOfTables
    }

    @usableFromInline package var kind: Kind
    @usableFromInline var definition = Definition.value
    /// Whether a table has an index, whose number `extra` is then.
    @usableFromInline var isIndexed = false
    /// Whether a later key of the same name has taken this one's place.
    @usableFromInline var isSuperseded = false
    /// The next child of the same parent, or 0: the root is nobody's child.
    @usableFromInline var next: UInt32 = 0
    /// Where the value begins in the source.
    @usableFromInline package var place: UInt32
    /// Where the key's text begins, and how many bytes it has.
    @usableFromInline let keyOffset: UInt32
    @usableFromInline let keyCount: UInt32
    /// For a table or an array how many children it has; the number of its index where it has one.
    @usableFromInline var extra: UInt32 = 0
    @usableFromInline package var bits: UInt64

    init(kind: Kind, place: UInt32, keyOffset: UInt32, keyCount: UInt32, bits: UInt64) {
        self.kind = kind
        self.place = place
        self.keyOffset = keyOffset
        self.keyCount = keyCount
        self.bits = bits
    }

    /// The first child, or 0.
    @inlinable
    package var first: UInt32 {
        get { UInt32(truncatingIfNeeded: bits) }
        set { bits = bits & ~0xFFFF_FFFF | UInt64(newValue) }
    }

    /// The last child, or 0.
    @inlinable
    package var last: UInt32 {
        get { UInt32(truncatingIfNeeded: bits >> 32) }
        set { bits = bits & 0xFFFF_FFFF | UInt64(newValue) << 32 }
    }

    /// Where the text of a string or a big integer stands.
    @inlinable
    package var text: Range<Int> { Int(first)..<Int(first) + Int(last) }

    /// Where the key's text stands.
    @inlinable
    package var key: Range<Int> { Int(keyOffset)..<Int(keyOffset) + Int(keyCount) }
}

/// A text as a node's bits.
struct SyntaxText {
    /// Where it begins: in the source, or behind it where it had escapes.
    let offset: UInt32
    let count: UInt32

    init(_ range: Range<Int>) {
        offset = UInt32(truncatingIfNeeded: range.lowerBound)
        count = UInt32(truncatingIfNeeded: range.count)
    }

    var bits: UInt64 { UInt64(offset) | UInt64(count) << 32 }
}

/// A key's text and its place, before a node has it.
@usableFromInline
struct SyntaxKey {
    /// Where the text begins: in the source, or behind it where it had escapes.
    @usableFromInline let offset: UInt32
    @usableFromInline let count: UInt32
    /// Where the key begins in the source, its quote included.
    @usableFromInline let place: UInt32

    init(_ text: SyntaxText, at place: Int) {
        offset = text.offset
        count = text.count
        self.place = UInt32(truncatingIfNeeded: place)
    }

    /// The key of what has none.
    static var none: SyntaxKey { SyntaxKey(SyntaxText(0..<0), at: 0) }
}
