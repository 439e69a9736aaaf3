/// A Swift value carried through the store as it is.
///
/// It reads back as its own type only.
public struct OpaqueValue: @unchecked Sendable {
    // Safe to send: `init(_:)` takes Sendable values only, `init(unchecked:)` hands the proof to its caller,
    // and the value never changes afterwards.

    /// The value.
    public let value: Any

    /// Carries a value that can be shared between threads.
    public init(_ value: any Sendable) {
        self.value = value
    }

    /// Carries a value whose safety the caller vouches for: nobody changes it while the store holds it.
    public init(unchecked value: Any) {
        self.value = value
    }
}
