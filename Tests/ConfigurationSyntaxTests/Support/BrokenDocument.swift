import Testing

/// An invalid document and its message.
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

/// Returns nested empty arrays.
func brackets(_ count: Int) -> String {
    String(repeating: "[", count: count) + String(repeating: "]", count: count)
}
