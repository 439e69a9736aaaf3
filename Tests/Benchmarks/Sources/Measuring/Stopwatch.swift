#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Measures what a piece of work takes, in this thread's CPU time: other programs do not count.
public enum Stopwatch {
    /// The median of some samples, in seconds for one call of `work`.
    ///
    /// - Parameters:
    ///   - samples: how many are taken; an odd number has a median of its own.
    ///   - seconds: how long one takes at least, by calling `work` again and again.
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

    /// The CPU time of this thread, in seconds.
    public static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Keeps the optimiser from leaving out work whose result nobody uses.
@inline(never)
@_optimize(none)
public func keep<Value>(_ value: Value) {}
