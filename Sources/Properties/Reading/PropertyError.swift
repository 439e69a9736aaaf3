/// A property that could not be read as what was asked for.
public struct PropertyError: Error, Sendable {
}
