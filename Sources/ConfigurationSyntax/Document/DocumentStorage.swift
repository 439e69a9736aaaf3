/// The memory of a finished document: its bytes and its nodes. Every access is bounds-checked.
// Sendable: the class owns the memory, which nobody can reach in another way, and no method writes to it. Threads only
// read it, until `deinit` frees it when no thread holds the document any more.
@usableFromInline @safe final class DocumentStorage: @unchecked Sendable {
    @usableFromInline let bytes: UnsafeMutablePointer<UInt8>
    @usableFromInline let capacity: Int
    @usableFromInline let nodes: UnsafeMutablePointer<SyntaxNode>
    @usableFromInline let count: Int

    /// Creates a storage that takes ownership of the memory.
    init(bytes: UnsafeMutablePointer<UInt8>, capacity: Int, nodes: UnsafeMutablePointer<SyntaxNode>, count: Int) {
        unsafe self.bytes = unsafe bytes
        self.capacity = capacity
        unsafe self.nodes = unsafe nodes
        self.count = count
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe nodes.deallocate()
    }

    /// The node with the given number, which is its index in the memory.
    @inlinable
    subscript(number: UInt32) -> SyntaxNode {
        precondition(Int(number) < count)
        return unsafe nodes[Int(number)]
    }

    /// Returns a byte of the source, or of the unescaped text behind it.
    @inlinable
    func byte(at offset: Int) -> UInt8 { unsafe text(offset..<offset + 1)[0] }

    /// Returns a range of the source, or of the unescaped text behind it, as a string.
    @inlinable
    func string(_ range: Range<Int>) -> String { unsafe String(decoding: text(range), as: UTF8.self) }

    /// Returns whether a range has the same bytes as an array.
    func isEqual(_ range: Range<Int>, _ other: [UInt8]) -> Bool { unsafe text(range).elementsEqual(other) }

    @inlinable
    func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        return unsafe UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }
}

/// The nodes of a document while it is parsed, in a buffer that grows.
///
/// Unlike an array, it has no uniqueness check on each write, and a large buffer is aligned to huge pages. Every access
/// is bounds-checked.
@safe struct NodeBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<SyntaxNode>
    private var capacity: Int
    private(set) var count = 0

    /// Creates an empty buffer with space for `capacity` nodes, at least one.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        unsafe base = LargeMemory.allocate(self.capacity)
    }

    deinit { unsafe base.deallocate() }

    /// Appends a node.
    mutating func append(_ node: SyntaxNode) {
        if count == capacity { grow() }
        // `SyntaxNode` is a trivial type, so assigning to uninitialized memory is safe.
        unsafe base[count] = node
        count += 1
    }

    /// The node with the given number, which is its index in the memory.
    subscript(number: UInt32) -> SyntaxNode {
        get {
            precondition(Int(number) < count)
            return unsafe base[Int(number)]
        }
        _modify {
            precondition(Int(number) < count)
            yield unsafe &base[Int(number)]
        }
    }

    /// Transfers ownership of the memory to the caller, which must deallocate it.
    consuming func finish() -> UnsafeMutablePointer<SyntaxNode> {
        let nodes = unsafe base
        discard self
        return unsafe nodes
    }

    @inline(never)
    private mutating func grow() {
        let larger = unsafe LargeMemory.allocate(2 * capacity, of: SyntaxNode.self)
        unsafe larger.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = unsafe larger
        capacity *= 2
    }
}
