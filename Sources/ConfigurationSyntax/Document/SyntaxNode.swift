import TextBasics

/// One value of a document in 32 bytes, with its key and a link to its next sibling.
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

    /// How a TOML table or array was defined, which decides what may add to it.
    @usableFromInline
    enum Definition: UInt8, BitwiseCopyable, Sendable {
        /// An inline table or a static array: nothing may add to it. In JSON every table and array is one.
        case value
        /// A table on the path of a header. A header or a dotted key may still define it.
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
    /// Whether a table has an index. Then `extra` is its number.
    @usableFromInline var isIndexed = false
    /// Whether a later key of the same name supersedes this one.
    @usableFromInline var isSuperseded = false
    /// The next child of the same parent, or 0.
    @usableFromInline var next: UInt32 = 0
    /// The offset of the value.
    @usableFromInline package var place: UInt32
    /// The offset and the length of the key's text.
    @usableFromInline let keyOffset: UInt32
    @usableFromInline let keyCount: UInt32
    /// The number of children of a table or an array, or the number of its index if it has one.
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

    /// The range of the text of a string or a big integer.
    @inlinable
    package var text: Range<Int> { Int(first)..<Int(first) + Int(last) }

    /// The range of the key's text.
    @inlinable
    package var key: Range<Int> { Int(keyOffset)..<Int(keyOffset) + Int(keyCount) }
}

/// A range of text, as stored in the bits of a node.
struct SyntaxText {
    /// Its offset. Text that had escapes is behind the source.
    let offset: UInt32
    let count: UInt32

    init(_ range: Range<Int>) {
        offset = UInt32(truncatingIfNeeded: range.lowerBound)
        count = UInt32(truncatingIfNeeded: range.count)
    }

    var bits: UInt64 { UInt64(offset) | UInt64(count) << 32 }
}

/// A key that no node has yet.
@usableFromInline
struct SyntaxKey {
    /// The offset of its text. Text that had escapes is behind the source.
    @usableFromInline let offset: UInt32
    @usableFromInline let count: UInt32
    /// The offset of the key, including its quote.
    @usableFromInline let place: UInt32

    init(_ text: SyntaxText, at place: Int) {
        offset = text.offset
        count = text.count
        self.place = UInt32(truncatingIfNeeded: place)
    }

    /// The key of a value without one.
    static var none: SyntaxKey { SyntaxKey(SyntaxText(0..<0), at: 0) }
}
