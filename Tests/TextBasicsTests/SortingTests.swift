import Testing
import TextBasics

@Suite("Sorting: by the bytes of names, and by any order")
struct SortingTests {
    @Test("Names are sorted by bytes, not as Swift strings")
    func bytes() {
        let composed = "\u{E9}", decomposed = "e\u{301}"
        #expect(composed == decomposed)
        let sorted = ["z", composed, "", decomposed, "e", "Z", "zz"].sorted(byName: \.self)
        let expected = ["", "Z", "e", decomposed, "z", "zz", composed]
        #expect(sorted.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test("The name of each element is read once, and all types are sorted")
    func names() {
        var reads: [Int] = []
        let sorted = (0..<100).sorted(byName: {
            reads.append($0)
            return "\($0)"
        })
        #expect(reads == Array(0..<100))
        #expect(sorted == (0..<100).sorted { "\($0)" < "\($1)" })
        #expect([Int]().sorted(byName: \.description) == [])
    }

    @Test("Any order gives the same result as the standard library")
    func orders() {
        var generator = SystemRandomNumberGenerator()
        for count in 0..<50 {
            let numbers = Set((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
            #expect(numbers.ordered(by: >) == numbers.sorted(by: >))
        }
    }
}
