/// The keys of one large table, found by hash.
///
/// Open addressing in a power of two of slots, of which at most three in four are taken.
@usableFromInline
struct KeyIndex: Sendable {
    /// A node and its key's hash. Node 0, the root, has no key: it is a free slot.
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

    /// The node whose key has this hash and satisfies `isSame`, or 0.
    func find(_ hash: UInt32, where isSame: (UInt32) -> Bool) -> UInt32 {
        let mask = slots.count - 1
        var slot = Self.slot(hash, mask)
        while true {
            let entry = slots[slot]
            if entry.node == 0 || entry.hash == hash && isSame(entry.node) { return entry.node }
            slot = (slot + 1) & mask
        }
    }

    /// Adds a node whose key is not there.
    mutating func insert(_ entry: Entry) {
        if 4 * (count + 1) > 3 * slots.count { grow() }
        place(entry)
        count += 1
    }

    /// Adds a node, for which there is room, or lets it take the place of the one whose key is the same.
    ///
    /// - Returns: the one whose place it took, or 0.
    mutating func update(_ entry: Entry, where isSame: (UInt32) -> Bool) -> UInt32 {
        let mask = slots.count - 1
        var slot = Self.slot(entry.hash, mask)
        while true {
            let other = slots[slot]
            if other.node == 0 || other.hash == entry.hash && isSame(other.node) {
                slots[slot] = entry
                if other.node == 0 { count += 1 }
                return other.node
            }
            slot = (slot + 1) & mask
        }
    }

    // Where Int has 32 bits, half of all hashes have no equal Int.
    @inline(__always)
    private static func slot(_ hash: UInt32, _ mask: Int) -> Int { Int(truncatingIfNeeded: hash) & mask }

    private mutating func grow() {
        let entries = slots
        slots = Self.freeSlots(4 * entries.count)
        for entry in entries where entry.node != 0 { place(entry) }
    }

    private static func freeSlots(_ count: Int) -> [Entry] {
        var slots: [Entry] = LargeMemory.array(capacity: count)
        slots.append(contentsOf: repeatElement(Entry(), count: count))
        return slots
    }

    private mutating func place(_ entry: Entry) {
        let mask = slots.count - 1
        var slot = Self.slot(entry.hash, mask)
        while slots[slot].node != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }
}
