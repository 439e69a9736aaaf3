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
    func isEqual(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        unsafe text(range).elementsEqual(other)
    }

    @inlinable
    func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        return unsafe UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }
}
