/// The hash of a flat name, which can be continued: the hash of `api.timeout` is that of `api` with `.timeout` added.
///
/// The multiplier and the start differ from process to process, so that nobody can write a file whose names collide.
package struct NameHash: Equatable, Sendable {
    private var state: UInt64

    /// The hash of no bytes at all.
    package init() { state = Self.start }

    /// The hash of a whole name.
    package init(_ name: String) {
        self.init()
        add(name)
    }

    /// Continues with the bytes of a name.
    package mutating func add(_ name: String) {
        var state = state
        for byte in name.utf8 { state = Self.mix(state, byte) }
        self.state = state
    }

    /// Continues with the dot between two elements of a path.
    package mutating func addDot() {
        state = Self.mix(state, UInt8(ascii: "."))
    }

    /// The number to look up by; all its bits are good.
    package var value: UInt32 {
        UInt32(truncatingIfNeeded: state ^ (state >> 32))
    }

    // The two halves of a full product folded into one: each bit of the result depends on all bits before it.
    @inline(__always)
    private static func mix(_ state: UInt64, _ byte: UInt8) -> UInt64 {
        let product = (state ^ UInt64(byte)).multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }

    private static let start = UInt64.random(in: .min ... .max)
    private static let multiplier = UInt64.random(in: .min ... .max) | 1
}
