/// One value of a document, in 32 bytes, with the key that names it and its next sibling.
struct SyntaxNode {
    /// What kind of value it is, and so what `bits` means.
    enum Kind: UInt8 {
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
    enum Definition: UInt8 {
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

    var kind = Kind.null
    var definition = Definition.value
    /// Whether a table has an index, whose number `extra` is then.
    var isIndexed = false
    /// Whether a later key of the same name has taken this one's place.
    var isSuperseded = false
    /// The next child of the same parent, or 0: the root is nobody's child.
    var next: UInt32 = 0
    /// Where the value begins in the source.
    var place: UInt32 = 0
    /// Where the key's text begins, and how many bytes it has.
    var keyOffset: UInt32 = 0
    var keyCount: UInt32 = 0
    /// For a table or an array how many children it has; the number of its index where it has one.
    var extra: UInt32 = 0
    var bits: UInt64 = 0

    /// The first child, or 0.
    var first: UInt32 {
        get { UInt32(truncatingIfNeeded: bits) }
        set { bits = bits & ~0xFFFF_FFFF | UInt64(newValue) }
    }

    /// The last child, or 0.
    var last: UInt32 {
        get { UInt32(truncatingIfNeeded: bits >> 32) }
        set { bits = bits & 0xFFFF_FFFF | UInt64(newValue) << 32 }
    }

    /// The text that a string or a big integer has.
    var text: Range<Int> { Int(first)..<Int(first) + Int(last) }
}

/// A key's text and its place, before a node has it.
struct SyntaxKey {
    /// Where the text begins: in the source, or behind it where it had escapes.
    let offset: Int
    let count: Int
    /// Where the key begins in the source, its quote included.
    let place: Int
}
