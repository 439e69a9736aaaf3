/// Says quickly of most new keys of an object that they are new: 64 bits, of which a key has one.
struct KeyFilter {
    private var bits: UInt64 = 0

    /// Takes in a key.
    ///
    /// - Returns: true where no earlier key can have been the same; false where one may have been.
    @inline(__always)
    mutating func insert(_ key: SyntaxKey, _ bytes: SourceBytes) -> Bool {
        // The first bytes and the length; what the word has behind the key's end is shifted out.
        let unused = 8 * UInt64(max(0, 8 - Int(key.count)))
        let start = unused == 64 ? 0 : bytes.word(at: Int(key.offset)) << unused
        let hash = (start &+ UInt64(key.count)) &* 0x9E37_79B9_7F4A_7C15
        let bit = UInt64(1) << (hash >> 58)
        defer { bits |= bit }
        return bits & bit == 0
    }
}
