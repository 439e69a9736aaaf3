/// A hash table of the keys of one large table.
///
/// It uses open addressing. The number of slots is a power of two, and at most three quarters of them are in use.
@usableFromInline
struct KeyIndex: Sendable {
    /// A node and the hash of its key. Node 0, the root, has no key and marks a free slot.
    @usableFromInline
    struct Entry: BitwiseCopyable, Sendable {
        var node: UInt32 = 0
        var hash: UInt32 = 0
    }

    private var slots: [Entry]
    @usableFromInline private(set) var count = 0

    init(expecting capacity: Int) {
        var size = 32
        while size < 2 * capacity { size *= 2 }
        slots = Self.freeSlots(size)
    }

    /// Returns the node that has this hash and for which `isSame` returns true, or 0 if there is none.
    func find(_ hash: UInt32, where isSame: (UInt32) -> Bool) -> UInt32 { slots[slot(of: hash, where: isSame)].node }

    /// Inserts a node. Its key must be new.
    mutating func insert(_ entry: Entry) {
        if 4 * (count + 1) > 3 * slots.count { grow() }
        slots[slot(of: entry.hash) { _ in false }] = entry
        count += 1
    }

    /// Inserts a node, or replaces the node with the same key. The index must have a free slot.
    ///
    /// - Returns: the replaced node, or 0 if the key was new.
    mutating func update(_ entry: Entry, where isSame: (UInt32) -> Bool) -> UInt32 {
        let slot = slot(of: entry.hash, where: isSame)
        let replaced = slots[slot].node
        slots[slot] = entry
        if replaced == 0 { count += 1 }
        return replaced
    }

    // Returns the slot of a key, or the free slot in which to insert it.
    @inline(__always)
    private func slot(of hash: UInt32, where isSame: (UInt32) -> Bool) -> Int {
        let mask = slots.count - 1
        // Truncates the hash, because a 32-bit `Int` cannot hold every `UInt32`.
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].node != 0, slots[slot].hash != hash || !isSame(slots[slot].node) { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let entries = slots
        slots = Self.freeSlots(4 * entries.count)
        for entry in entries where entry.node != 0 { slots[slot(of: entry.hash) { _ in false }] = entry }
    }

    private static func freeSlots(_ count: Int) -> [Entry] {
        var slots: [Entry] = LargeMemory.array(capacity: count)
        slots.append(contentsOf: repeatElement(Entry(), count: count))
        return slots
    }
}

/// The hash function of keys. Its seed is random per process, so that an attacker cannot prepare colliding keys.
enum KeyHash {
    private static let seed = UInt64.random(in: .min ... .max)
    private static var factor: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// Returns the hash of a range of the source.
    static func hash(_ bytes: SourceBytes, at offset: Int, count: Int) -> UInt32 {
        hash(count: count) { bytes.word(at: offset + $0) }
    }

    /// Returns the hash of an array of bytes. It equals the hash of the same bytes in a source.
    static func hash(_ bytes: [UInt8]) -> UInt32 {
        hash(count: bytes.count) { start in
            bytes[start...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    // Hashes eight bytes at a time. In the last word, the bytes past the end of the key are shifted out.
    @inline(__always)
    private static func hash(count: Int, word: (Int) -> UInt64) -> UInt32 {
        let seed = seed
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var done = 0
        while done < count {
            let unused = 8 * UInt64(max(0, 8 - (count - done)))
            // Mixes both halves of a 128-bit product.
            let product = (hash ^ word(done) << unused).multipliedFullWidth(by: factor)
            hash = product.high ^ product.low &+ seed
            done += 8
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
