/// A text with changes, which knows where each of its bytes was before.
struct MendedText {
    private(set) var bytes: [UInt8]
    /// The offset in the original text of each byte. Replacements have the offset of what they replace.
    private var origins: [Int]
    /// The size of the original text in bytes.
    let originalCount: Int

    /// Creates a text without changes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        origins = Array(bytes.indices)
        originalCount = bytes.count
    }

    /// Replaces bytes.
    mutating func replace(_ range: Range<Int>, with replacement: String) {
        let range = range.clamped(to: 0..<bytes.count)
        let origin = origin(of: range.lowerBound)
        bytes.replaceSubrange(range, with: replacement.utf8)
        origins.replaceSubrange(range, with: repeatElement(origin, count: replacement.utf8.count))
    }

    /// Returns the offset in the original text of a byte.
    func origin(of offset: Int) -> Int { origins.indices.contains(offset) ? origins[offset] : originalCount }
}
