/// An incremental hash of flat names. Adding `.timeout` to the hash of `api` produces the hash of `api.timeout`.
///
/// The multiplier and the initial state are random in each process. Otherwise somebody could write a file with many
/// names that have the same hash.
@usableFromInline
struct NameHash: Sendable {
    // `state` is the hash of all complete words of eight bytes. `pending` contains the bytes after the last complete
    // word, with the first of them in the lowest bits. `count` is the number of all bytes.
    private var state: UInt64
    private var pending: UInt64 = 0
    private var count: UInt64 = 0
    // A local copy, because each access to a static constant checks whether the constant is initialized.
    private let multiplier = Self.multiplier

    /// Creates the hash of the empty name.
    init() { state = Self.start }

    /// Returns the hash of a whole name.
    @usableFromInline
    static func value(of name: String) -> UInt32 {
        if let value = unsafe name.utf8.withContiguousStorageIfAvailable({ unsafe NameHash($0).value }) { return value }
        var copy = name
        return copy.withUTF8 { unsafe NameHash($0).value }
    }

    /// Creates the hash of a whole name.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.init()
        count = UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            // Safe: the buffer has at least eight bytes from `offset` on.
            let word = unsafe UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
                .loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = Self.mix(state, UInt64(littleEndian: word), multiplier)
            offset += 8
        }
        var shift: UInt64 = 0
        while offset < bytes.count {
            pending |= unsafe UInt64(bytes[offset]) << shift
            shift += 8
            offset += 1
        }
    }

    /// Adds bytes to the name.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        var offset = 0
        while offset + 8 <= bytes.count {
            // Safe: the buffer has at least eight bytes from `offset` on.
            let word = unsafe UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
                .loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let shift = count % 8 * 8
            state = Self.mix(state, pending | UInt64(littleEndian: word) << shift, multiplier)
            // If `shift` is 0, the word is shifted by 64 bits, which results in 0.
            pending = UInt64(littleEndian: word) >> (64 - shift)
            count += 8
            offset += 8
        }
        while offset < bytes.count {
            unsafe add(bytes[offset])
            offset += 1
        }
    }

    /// Adds the dot between two elements of a path.
    mutating func addDot() { add(UInt8(ascii: ".")) }

    /// The hash value. All its bits are well distributed.
    var value: UInt32 {
        let mixed = Self.mix(Self.mix(state, pending, multiplier), count, multiplier)
        return UInt32(truncatingIfNeeded: mixed ^ (mixed >> 32))
    }

    /// Returns the slot of a hash in a table whose number of slots is a power of two. The mask is the number of slots
    /// minus 1.
    @inline(__always)
    static func slot(_ hash: UInt32, _ mask: Int) -> Int {
        // Truncates the hash, because where `Int` has 32 bits, half of all hashes are out of its range.
        Int(truncatingIfNeeded: hash) & mask
    }

    private mutating func add(_ byte: UInt8) {
        pending |= UInt64(byte) << (count % 8 * 8)
        count += 1
        guard count % 8 == 0 else { return }
        state = Self.mix(state, pending, multiplier)
        pending = 0
    }

    // Combines the two halves of the full product, so that each bit of the result depends on all bits of the input.
    @inline(__always)
    private static func mix(_ state: UInt64, _ word: UInt64, _ multiplier: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }

    private static let start = UInt64.random(in: .min ... .max)
    private static let multiplier = UInt64.random(in: .min ... .max) | 1
}
