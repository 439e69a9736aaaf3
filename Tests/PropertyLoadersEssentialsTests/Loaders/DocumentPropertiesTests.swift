import Foundation
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Documents of the maximum depth")
struct DocumentPropertiesTests {
    // A debug build tests only the default depth, because each level takes seven times as much stack without
    // optimization.
    #if DEBUG
        static let depthForSmallStack = SyntaxLimits().depth
    #else
        static let depthForSmallStack = SyntaxLimits(depth: .max).depth
    #endif

    @Test("Documents of the maximum depth can be parsed and loaded on a stack of 512 KB")
    func smallStack() async {
        let depth = Self.depthForSmallStack
        let deepest = await onSmallStack {
            let limits = SyntaxLimits(depth: depth)
            let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let inline = String(repeating: "{a=", count: depth) + "1" + String(repeating: "}", count: depth)
            let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
            let trees = [
                try? TomlPropertyLoader(string: "a = \(brackets)", name: "a", limits: limits).load(),
                try? TomlPropertyLoader(string: "a = \(inline)", name: "a", limits: limits).load(),
                try? JsonPropertyLoader(string: objects, name: "a", limits: limits).load(),
            ].map { $0?.table.count }
            let store = PropertyStore()
            try? store.apply(TomlPropertyLoader(string: "t = \(inline)", name: "t", limits: limits))
            try? store.apply(JsonPropertyLoader(string: objects, name: "j", limits: limits))
            return trees + [store.entries.count]
        }
        #expect(deepest == [1, 1, 1, 2])
    }
}
