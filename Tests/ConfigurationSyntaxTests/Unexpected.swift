/// What a test throws where a value has another shape than expected.
struct Unexpected: Error {}
