import Testing

/// Runs each test of a suite at a high priority.
///
/// The processes of these tests have time limits, such as the ten seconds of a close. At the usual priority, each step
/// of a test waits behind the steps of all other tests, which takes more than a minute when all tests run.
struct HighPriority: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask(priority: .high) { try await function() }
                try await group.waitForAll()
            }
        }
    }
}

extension Trait where Self == HighPriority {
    static var highPriority: Self { HighPriority() }
}
