/// The hash table in which reads find the element or the small value of a flat name, without counting references.
///
/// Reads through Swift arrays would change reference counts that all threads share, which makes reads on two threads
/// slower than on one. The index therefore has manually allocated memory, which is filled once, never changed, and
/// freed with the state that owns it. Each property has a record with its name and, if it is small, its value, so that
/// a read accesses only one slot and one record.
@safe struct NameIndex: ~Copyable {
    /// The result of a lookup.
    struct Hit {
        let kind: Kind
        /// The index of the element, or -1 if there is none.
        let index: Int32
        /// The bits of an integer, number or boolean. For a string, its index among the strings.
        let bits: UInt64

        static let missing = Hit(kind: .missing, index: -1, bits: 0)
        static let unknown = Hit(kind: .other, index: -1, bits: 0)
    }

    enum Kind: UInt8 {
        case missing, boolean, integer, number, string, other
    }

    private struct Slot {
        var hash: UInt32
        /// The offset of the record in units of eight bytes, plus 1. It is 0 if the slot is empty.
        var record: UInt32
    }

    private struct Record {
        let bits: UInt64
        let index: Int32
        let count: UInt16
        let kind: Kind
        // The bytes of the name follow the record.
        static let size = 16
    }

    private let slots: UnsafeMutablePointer<Slot>
    private let mask: Int
    private let records: UnsafeMutableRawPointer
    // Copies of all strings. Reading a string from its element would retain the element's source, whose reference count
    // all threads share.
    private let strings: UnsafeMutableBufferPointer<String>

    /// The maximum size of a name that is stored in its record, in bytes. Longer names are compared key by key along
    /// their path, because storing nested long keys would need quadratic memory.
    private static let longest = 256

    /// Creates the index of all elements of a tree.
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
            // A count of `.max` means that the name is not stored. Stored names have at most 256 bytes.
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

    /// Looks up a name.
    ///
    /// - Parameters:
    ///   - hash: the hash of the name.
    ///   - name: the bytes of the name.
    ///   - state: the state that owns this index. Its tree has the names that are not stored.
    /// - Returns: the element and value of the name, or `.missing`.
    @inline(__always)
    func find(_ hash: UInt32, _ name: UnsafeBufferPointer<UInt8>, in state: MergedState) -> Hit {
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

    /// Returns the string of a hit of the kind `string`.
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

    // Safe: the caller has checked that both have the same number of bytes.
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

// @unchecked is safe: only `init` writes to the memory, the values in it are Sendable, and `deinit` runs when no thread
// can read it any more.
extension NameIndex: @unchecked Sendable {}

// MARK: - Names

extension PropertyTree {
    /// The size of each flat name, in bytes.
    fileprivate var nameSizes: [Int] {
        // Adds up all keys of each path. The size of the parent's name may not be known yet, because a parent may come
        // after a child that was moved into it.
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

    /// Writes the flat name of an element to a buffer of exactly its size, from its end to its start.
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
