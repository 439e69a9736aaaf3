/// Says quickly of most keys of an object that they are new: 64 bits, of which a key has one.
struct KeyFilter {
    private var bits: UInt64 = 0

    /// Takes in a key.
    ///
    /// - Returns: true where no earlier key can have been the same; false where one may have been.
    @inline(__always)
    mutating func insert(_ key: SyntaxKey, _ bytes: SourceBytes) -> Bool {
        // The first byte, the last and the length. An empty key has its quotes there.
        let first = bytes[Int(key.offset)]
        let last = bytes[Int(key.offset &+ key.count) &- 1]
        let hash = UInt64(first) &+ UInt64(last) &* 27 &+ UInt64(key.count) &* 11
        let bit = UInt64(1) &<< hash
        defer { bits |= bit }
        return bits & bit == 0
    }
}
