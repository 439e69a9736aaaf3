/// The keys of one large table, found by hash.
///
/// Open addressing in a power of two of slots, of which at most three in four are taken. A slot holds the hash's
/// lower half above the node's number; 0 is free, since the root is nobody's child.
struct KeyIndex {
    private var slots: [UInt64]
    private(set) var count = 0

    init(expecting capacity: Int) {
        var size = 32
        while size < 2 * capacity { size *= 2 }
        slots = Array(repeating: 0, count: size)
    }

    /// The node whose key has this hash and satisfies `isSame`, or 0.
    func find(_ hash: UInt32, where isSame: (UInt32) -> Bool) -> UInt32 {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while true {
            let entry = slots[slot]
            if entry == 0 { return 0 }
            let node = UInt32(truncatingIfNeeded: entry)
            if UInt32(truncatingIfNeeded: entry >> 32) == hash, isSame(node) { return node }
            slot = (slot + 1) & mask
        }
    }

    /// Adds a node whose key is not there.
    mutating func insert(_ node: UInt32, hash: UInt32) {
        if 4 * (count + 1) > 3 * slots.count { grow() }
        place(UInt64(hash) << 32 | UInt64(node))
        count += 1
    }

    /// Adds a node, or lets it take the place of the one whose key is the same.
    ///
    /// - Returns: the one whose place it took, or 0.
    mutating func update(_ node: UInt32, hash: UInt32, where isSame: (UInt32) -> Bool) -> UInt32 {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while true {
            let entry = slots[slot]
            let other = UInt32(truncatingIfNeeded: entry)
            if entry == 0 || UInt32(truncatingIfNeeded: entry >> 32) == hash && isSame(other) {
                slots[slot] = UInt64(hash) << 32 | UInt64(node)
                if entry == 0 { count += 1 }
                return other
            }
            slot = (slot + 1) & mask
        }
    }

    private mutating func grow() {
        let entries = slots
        slots = Array(repeating: 0, count: 4 * entries.count)
        for entry in entries where entry != 0 { place(entry) }
    }

    private mutating func place(_ entry: UInt64) {
        let mask = slots.count - 1
        var slot = Int(entry >> 32) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }
}
