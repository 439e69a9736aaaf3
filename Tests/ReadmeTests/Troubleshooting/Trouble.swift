/// One row of the article "Troubleshooting": a kind of error, with an example of its message.
struct Trouble: Sendable {
    /// The name of the reason in the source, such as `wrongType`.
    let reason: String
    /// What leads to the error, as sentences.
    let cause: String
    /// What to do, as sentences.
    let remedy: String
    /// Makes an error of the kind, or nil if a test cannot make one.
    let example: (@Sendable () async throws -> (any Error)?)?

    init(
        _ reason: String, cause: String, remedy: String,
        example: (@Sendable () async throws -> (any Error)?)? = nil
    ) {
        self.reason = reason
        self.cause = cause
        self.remedy = remedy
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

    /// The section of the article.
    func section() async -> String {
        let message = await message().map { "```text\n\($0)\n```\n\n" } ?? ""
        return "**`.\(reason)`** – \(cause)\n\n\(message)*What to do:* \(remedy)\n"
    }
}
