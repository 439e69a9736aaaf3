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
