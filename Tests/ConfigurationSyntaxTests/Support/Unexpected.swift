/// The error that a test throws if a value is of another kind than expected.
struct Unexpected: Error {}
