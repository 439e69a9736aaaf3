import SharedState
import Testing

@Suite("The stack of a thread")
struct ThreadStackTests {
    @Test("The bytes that are left on the stack of the thread are known, also under AddressSanitizer")
    func known() throws {
        let stack = try #require(ThreadStack.ofCurrentThread())
        let left = try #require(CurrentThread.bytesLeft(of: stack))
        #expect(left > 0 && left < stack.size)
    }

    @Test("The bytes that are left are fewer in a function that has been called")
    func called() throws {
        func left(_ depth: Int, of stack: ThreadStack) -> [UInt] {
            let own = CurrentThread.bytesLeft(of: stack).map { [$0] } ?? []
            return depth == 0 ? own : own + left(depth - 1, of: stack)
        }
        let all = left(20, of: try #require(ThreadStack.ofCurrentThread()))
        #expect(all.count == 21)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test("On another stack, they are not known", arguments: [UInt(1), UInt.max - 4_096])
    func other(start: UInt) {
        #expect(CurrentThread.bytesLeft(of: ThreadStack(start: start, size: 4096)) == nil)
    }

    @Test("An address belongs to a stack from its start to its end")
    func bounds() {
        let stack = ThreadStack(start: 100, size: 50)
        #expect([99, 100, 101, 149, 150].map { stack.bytes(below: $0) } == [nil, 0, 1, 49, nil])
    }
}
