/// An error for a value of an unexpected kind.
struct Unexpected: Error {}
