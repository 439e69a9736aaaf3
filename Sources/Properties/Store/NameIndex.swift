/// Leads from flat names to elements, with no reference counted on the way.
///
/// A read through arrays would count references on memory that all threads share, which is what makes reads on two
/// threads slower than on one. So this has plain memory of its own, made once, never changed, and given back with the
/// state that owns it. Each property has a record with its name and, where it is small, its value, so that a read
/// touches one slot and one record.
@safe struct NameIndex: ~Copyable {
    /// What a name leads to.
    struct Hit {
        let kind: Kind
        /// The element's index, where there is one.
        let index: Int32
        /// The value of an integer, a number or a boolean; for a string its place among the strings.
        let bits: UInt64

        static let missing = Hit(kind: .missing, index: -1, bits: 0)
        static let unknown = Hit(kind: .other, index: -1, bits: 0)
    }

    enum Kind: UInt8 {
        case missing, boolean, integer, number, string, other
    }

    private struct Slot {
        var hash: UInt32
        /// The record's place in units of eight bytes, plus 1; 0 for an empty slot.
        var record: UInt32
    }

    private struct Record {
        let bits: UInt64
        let index: Int32
        let count: UInt16
        let kind: Kind
        // The name follows.
        static let size = 16
    }

    private let slots: UnsafeMutablePointer<Slot>
    private let mask: Int
    private let records: UnsafeMutableRawPointer
    // The strings once more: a copy out of an element would count a reference to its source, which threads share.
    private let strings: UnsafeMutableBufferPointer<String>

    /// The longest name that has a place in its record, in bytes. Longer ones are compared along their path: a long chain
    /// of long keys would take its bytes squared here.
    private static let longest = 256

    /// Indexes all elements of a tree.
    init(_ tree: borrowing PropertyTree) {
        let sizes = tree.nameSizes
        var capacity = 16
        while capacity < sizes.count * 2 { capacity *= 2 }
        mask = capacity - 1
        unsafe slots = .allocate(capacity: capacity)
        unsafe slots.initialize(repeating: Slot(hash: 0, record: 0), count: capacity)
        let size = sizes.reduce(0) { $0 + Self.space($1) }
        unsafe records = .allocate(byteCount: max(size, 8), alignment: 8)
        unsafe strings = Self.strings(of: tree)
        var place = 0
        var stringCount: UInt64 = 0
        let elements = tree.elements.span
        for index in elements.indices {
            let isStored = sizes[index] <= Self.longest
            var (kind, bits) = Self.kind(elements[index].node.value)
            if kind == .string {
                bits = stringCount
                stringCount += 1
            }
            // 256 is 9 bits, so a count of 16 bits has room to say that the name is elsewhere.
            let record = Record(
                bits: bits, index: Int32(truncatingIfNeeded: index), count: isStored ? UInt16(sizes[index]) : .max,
                kind: kind)
            unsafe (records + place).storeBytes(of: record, as: Record.self)
            if isStored {
                let name = unsafe UnsafeMutableRawBufferPointer(
                    start: records + place + Record.size, count: sizes[index])
                unsafe tree.writeName(of: index, to: name)
            }
            let hash = elements[index].hash
            var slot = NameHash.slot(hash, mask)
            while unsafe slots[slot].record != 0 { slot = (slot + 1) & mask }
            unsafe slots[slot] = Slot(hash: hash, record: UInt32(truncatingIfNeeded: place / 8 + 1))
            place += Self.space(sizes[index])
        }
    }

    deinit {
        unsafe slots.deallocate()
        unsafe records.deallocate()
        unsafe strings.deinitialize()
        unsafe strings.deallocate()
    }

    /// What a name leads to.
    ///
    /// - Parameter state: the state whose index this is.
    @inline(__always)
    func find(_ hash: UInt32, _ name: UnsafeBufferPointer<UInt8>, in state: PropertySnapshot) -> Hit {
        var slot = NameHash.slot(hash, mask)
        while true {
            let candidate = unsafe slots[slot]
            if candidate.record == 0 { return .missing }
            if candidate.hash == hash {
                let place = unsafe records + (Int(candidate.record) - 1) * 8
                let record = unsafe place.load(as: Record.self)
                let isSame =
                    record.count == .max
                    ? unsafe state.tree.isNamed(Int(record.index), name)
                    : unsafe Int(record.count) == name.count
                        && Self.isEqual(place + Record.size, UnsafeRawBufferPointer(name))
                if isSame { return Hit(kind: record.kind, index: record.index, bits: record.bits) }
            }
            slot = (slot + 1) & mask
        }
    }

    /// The string of a hit of that kind.
    func string(_ hit: Hit) -> String { unsafe strings[Int(truncatingIfNeeded: hit.bits)] }

    private static func strings(of tree: borrowing PropertyTree) -> UnsafeMutableBufferPointer<String> {
        let elements = tree.elements.span
        let count = elements.indices.count { kind(elements[$0].node.value).0 == .string }
        let strings = UnsafeMutableBufferPointer<String>.allocate(capacity: count)
        var next = 0
        for index in elements.indices {
            guard case .string(let string) = elements[index].node.value else { continue }
            unsafe strings.initializeElement(at: next, to: string)
            next += 1
        }
        return unsafe strings
    }

    // Safe: both have as many bytes as `two` says.
    @inline(__always)
    private static func isEqual(_ one: UnsafeMutableRawPointer, _ two: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 8 <= two.count {
            let (a, b) = unsafe (
                one.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                two.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
            if a != b { return false }
            offset += 8
        }
        while offset < two.count {
            if unsafe one.load(fromByteOffset: offset, as: UInt8.self) != two[offset] { return false }
            offset += 1
        }
        return true
    }

    private static func space(_ count: Int) -> Int {
        count <= longest ? (Record.size + count + 7) / 8 * 8 : Record.size
    }

    private static func kind(_ value: PropertyValue) -> (Kind, UInt64) {
        switch value {
        case .bool(let bool): (.boolean, bool ? 1 : 0)
        case .integer(let integer): (.integer, UInt64(bitPattern: integer))
        case .double(let double): (.number, double.bitPattern)
        case .string: (.string, 0)
        default: (.other, 0)
        }
    }
}

// @unchecked: `init` alone writes what the pointers lead to, which is Sendable, and nobody else has them; `deinit` runs when
// nobody reads any more.
extension NameIndex: @unchecked Sendable {}

// MARK: - Names

extension PropertyTree {
    /// How many bytes each flat name has.
    fileprivate var nameSizes: [Int] {
        // A parent may come after its child, where that has moved to it.
        let elements = elements.span
        return elements.indices.map { index in
            var size = elements[index].key.count
            var parent = elements[index].parent
            while parent != Self.none {
                size += 1 + elements[Int(parent)].key.count
                parent = elements[Int(parent)].parent
            }
            return size
        }
    }

    /// Writes a flat name from its end to its start.
    fileprivate func writeName(of index: Int, to name: UnsafeMutableRawBufferPointer) {
        var end = name.count
        var current = Int32(index)
        while current != Self.none {
            let key = elements[Int(current)].key
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: name[(end - key.count)..<end])
            unsafe part.copyBytes(from: keys[key])
            end -= key.count
            current = elements[Int(current)].parent
            if current != Self.none {
                end -= 1
                unsafe name[end] = UInt8(ascii: ".")
            }
        }
    }
}
