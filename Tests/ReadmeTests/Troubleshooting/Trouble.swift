/// One entry of the article "Troubleshooting": a kind of error, with an example of its message.
struct Trouble: Sendable {
    /// The name of the reason in the source, such as `wrongType`.
    let reason: String
    /// What leads to the error, and what to do if the message does not say so.
    let text: String
    /// Makes an error of the kind, or nil if a test cannot make one.
    let example: (@Sendable () async throws -> (any Error)?)?

    init(_ reason: String, _ text: String, example: (@Sendable () async throws -> (any Error)?)? = nil) {
        self.reason = reason
        self.text = text
        self.example = example
    }

    /// The message of the example, or nil if there is no example.
    func message() async -> String? {
        guard let example else { return nil }
        do {
            return try await example().map { "\($0)" }
        } catch {
            return "\(error)"
        }
    }

    /// The entry of the article: the message, and the reason with its text.
    func entry() async -> String {
        let message = await message().map { "```text\n\($0)\n```\n\n" } ?? ""
        return "\(message)**`.\(reason)`** – \(text)\n"
    }
}
