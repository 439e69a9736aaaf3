/// A range of the source, or of the unescaped text behind it.
package struct SyntaxText: BitwiseCopyable, Sendable {
    let offset: UInt32
    let count: UInt32

    init(_ range: Range<Int>) {
        offset = UInt32(truncatingIfNeeded: range.lowerBound)
        count = UInt32(truncatingIfNeeded: range.count)
    }

    init(bits: UInt64) {
        offset = UInt32(truncatingIfNeeded: bits)
        count = UInt32(truncatingIfNeeded: bits >> 32)
    }

    /// The offset and the length in one number.
    var bits: UInt64 { UInt64(offset) | UInt64(count) << 32 }

    var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}
