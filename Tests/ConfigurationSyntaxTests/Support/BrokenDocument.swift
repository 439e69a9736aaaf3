import Testing

/// A test case: an invalid document, and the message of the error that parsing it throws.
struct Broken: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let message: String

    init(_ name: String, _ text: String, _ message: String) {
        testDescription = name
        self.text = text
        self.message = message
    }
}

/// Returns the text of empty arrays nested `count` levels deep.
func brackets(_ count: Int) -> String {
    String(repeating: "[", count: count) + String(repeating: "]", count: count)
}
