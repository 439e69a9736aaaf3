import Foundation

/// Measures the processor time of a thread, which other tests and programs do not affect.
package enum ThreadTime {
    /// Returns the processor time that a function takes on this thread.
    package static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
