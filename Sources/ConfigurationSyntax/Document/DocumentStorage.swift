/// The memory of a finished document: its bytes and its nodes. Every access is checked.
// Safe to send: nothing changes after the buffers have given their memory away.
@usableFromInline @safe final class DocumentStorage: @unchecked Sendable {
    @usableFromInline let bytes: UnsafeMutablePointer<UInt8>
    @usableFromInline let capacity: Int
    @usableFromInline let nodes: UnsafeMutablePointer<SyntaxNode>
    @usableFromInline let count: Int

    /// Takes memory, to free it.
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

    /// A node by its number.
    @inlinable
    subscript(number: UInt32) -> SyntaxNode {
        precondition(Int(number) < count)
        return unsafe nodes[Int(number)]
    }

    /// A byte of the source, or of the text behind it.
    @inlinable
    func byte(at place: Int) -> UInt8 { unsafe text(place..<place + 1)[0] }

    /// A text of the document.
    @inlinable
    func string(_ range: Range<Int>) -> String { unsafe String(decoding: text(range), as: UTF8.self) }

    /// Whether a text is these bytes.
    func isEqual(_ range: Range<Int>, _ other: [UInt8]) -> Bool { unsafe text(range).elementsEqual(other) }

    @inlinable
    func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        return unsafe UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }
}

/// The nodes of a document while it grows.
///
/// An array would do the same. This one is never shared, which an array checks at each write, and its memory may lie so
/// that the system can give it large pages. Every access is checked against the count.
@safe struct NodeBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<SyntaxNode>
    private var capacity: Int
    private(set) var count = 0

    /// Makes a buffer with room for so many nodes, at least one.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        unsafe base = LargeMemory.allocate(self.capacity)
    }

    deinit { unsafe base.deallocate() }

    /// Adds a node.
    mutating func append(_ node: SyntaxNode) {
        if count == capacity { grow() }
        // A node owns nothing, so memory that holds none yet can be assigned to.
        unsafe base[count] = node
        count += 1
    }

    /// A node by its number.
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

    /// Gives the memory away, to be freed by who takes it.
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
