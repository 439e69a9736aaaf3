import Foundation

/// The length of the tests that repeat something many times.
package enum LongRun {
    /// Whether the environment variable `LONG` is `1`. By default these tests are short.
    package static let isRequested = ProcessInfo.processInfo.environment["LONG"] == "1"

    /// Returns a number of rounds: the given one, or a hundred times as many in a long run.
    package static func rounds(_ short: Int) -> Int { isRequested ? short * 100 : short }
}
