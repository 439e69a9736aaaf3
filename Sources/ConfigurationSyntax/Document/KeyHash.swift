/// The hash of keys. Its seed differs from process to process, so that nobody can prepare keys that collide.
enum KeyHash {
    private static let seed = UInt64.random(in: .min ... .max)
    private static var factor: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The hash of a text of the source.
    static func hash(_ bytes: SourceBytes, at place: Int, count: Int) -> UInt32 {
        hash(count: count) { bytes.word(at: place + $0) }
    }

    /// The same hash of the same text, from elsewhere.
    static func hash(_ bytes: [UInt8]) -> UInt32 {
        hash(count: bytes.count) { start in
            bytes[start...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    // What a word has behind the text's end does not count.
    @inline(__always)
    private static func hash(count: Int, word: (Int) -> UInt64) -> UInt32 {
        let seed = seed
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var done = 0
        while done < count {
            let unused = 8 * UInt64(max(0, 8 - (count - done)))
            // A multiplication to 128 bits, both halves of which count.
            let product = (hash ^ word(done) << unused).multipliedFullWidth(by: factor)
            hash = product.high ^ product.low &+ seed
            done += 8
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
