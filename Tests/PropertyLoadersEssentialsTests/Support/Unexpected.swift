/// What a test throws where a value has another shape than it must have.
struct Unexpected: Error {}
