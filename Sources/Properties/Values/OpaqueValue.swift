/// A Swift value carried through the store as it is.
///
/// It reads back as its own type only.
public struct OpaqueValue: @unchecked Sendable {
    // Safe to send: `init(_:)` takes Sendable values only, `init(unchecked:)` hands the proof to its caller,
    // and the value never changes afterwards.

    // In a box of its own: with an `Any` inside, every `PropertyValue` would be as large as one, and of a layout that the
    // optimizer copies even to see which case it is.
    private final class Box {
        let value: Any
        init(_ value: Any) { self.value = value }
    }
    private let box: Box

    /// Carries a value that can be shared between threads.
    public init(_ value: any Sendable) {
        box = Box(value)
    }

    /// Carries a value whose safety the caller vouches for: nobody changes it while the store holds it.
    public init(unchecked value: Any) {
        box = Box(value)
    }

    /// The value.
    public var value: Any { box.value }
}
