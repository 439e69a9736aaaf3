import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

/// Returns the positions of all errors in a `.env` text, as `line:column`.
private func errors(_ text: String) -> [String] {
    do {
        _ = try DotEnvPropertyLoader(string: text, name: ".env").load()
        return []
    } catch {
        return ConfigurationErrors([error]).problems.map { String($0.place.dropFirst(".env:".count)) }
    }
}

@Suite("After an error, a .env file is parsed on at the next assignment")
struct DotEnvRecoveryTests {
    @Test("The errors of a file are those of its assignments")
    func positions() throws {
        #expect(try RecordedMessages.compare("env-further") { errors($0).joined(separator: " ") } == (12, []))
    }

    @Test("After 20 errors, a further one says that there may be more")
    func limit() throws {
        let text = String(repeating: "A 1\nB=1\n", count: 100)
        let error = try #require(
            loadError {
                try DotEnvPropertyLoader(string: text, name: ".env").load()
            })
        #expect(error.furtherErrors.count == 20)
        #expect(
            error.furtherErrors.last?.description == ".env:41:3: there may be more errors from here on. "
                + "Correct the errors before this place, and check the text again.")
    }
}
