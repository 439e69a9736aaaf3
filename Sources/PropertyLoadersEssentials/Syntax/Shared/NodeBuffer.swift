#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// The nodes of a document while it grows.
///
/// An array would do the same. This one grows with `realloc`, which moves large memory without touching it, and is
/// never shared, which an array checks at each write. Every access is checked against the count.
@safe struct NodeBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<SyntaxNode>
    private var capacity: Int
    private(set) var count = 0

    /// Makes a buffer with room for so many nodes, at least one.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        unsafe base = Self.allocate(self.capacity, instead: nil)
    }

    deinit { unsafe free(base) }

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

    /// The nodes, no more to be changed.
    consuming func finish() -> NodeStorage {
        let storage = unsafe NodeStorage(base, count: count)
        discard self
        return storage
    }

    @inline(never)
    private mutating func grow() {
        capacity *= 2
        unsafe base = Self.allocate(capacity, instead: base)
    }

    private static func allocate(
        _ capacity: Int, instead old: UnsafeMutablePointer<SyntaxNode>?
    ) -> UnsafeMutablePointer<SyntaxNode> {
        let size = capacity * MemoryLayout<SyntaxNode>.stride
        guard let memory = unsafe realloc(old, size) else { preconditionFailure("out of memory") }
        unsafe LargeMemory.advise(memory, count: size)
        return unsafe memory.bindMemory(to: SyntaxNode.self, capacity: capacity)
    }
}

/// The nodes of a finished document.
// Safe to send: nothing changes after `NodeBuffer` has given its memory away.
@safe final class NodeStorage: @unchecked Sendable {
    private let base: UnsafeMutablePointer<SyntaxNode>
    private let count: Int

    fileprivate init(_ base: UnsafeMutablePointer<SyntaxNode>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    deinit { unsafe free(base) }

    /// A node by its number.
    subscript(number: UInt32) -> SyntaxNode {
        precondition(Int(number) < count)
        return unsafe base[Int(number)]
    }
}
