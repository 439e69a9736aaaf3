#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Measures work in processor time of the current thread, which does not include the time of other programs.
public enum Stopwatch {
    /// Returns the median of several samples, in seconds per call of `work`.
    ///
    /// - Parameters:
    ///   - samples: the number of samples; with an odd number, one of them is the median.
    ///   - seconds: the minimum duration of a sample, which calls `work` repeatedly.
    ///   - work: the work to measure.
    /// - Returns: the median in seconds.
    /// - Throws: the errors of `work`.
    public static func median(
        samples: Int = 7, atLeast seconds: Double = 0.02, _ work: () throws -> Void
    ) rethrows -> Double {
        try work()
        var calls = 1
        var times: [Double] = []
        while times.count < samples {
            let start = now()
            for _ in 0..<calls { try work() }
            let time = now() - start
            if time < seconds, calls < 1 << 20 {
                calls *= max(2, min(10, Int(seconds / max(time, 1e-6))))
                continue
            }
            times.append(time / Double(calls))
        }
        return times.sorted()[samples / 2]
    }

    /// Returns the processor time of this thread, in seconds.
    public static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Keeps the optimizer from removing work whose result is not used.
@inline(never)
@_optimize(none)
public func keep<Value>(_ value: Value) {}
