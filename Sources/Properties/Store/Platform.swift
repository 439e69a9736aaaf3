#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WinSDK)
    import WinSDK
#endif

/// What the platform's C library is needed for.
enum Platform {
    /// Lets another thread run.
    static func yield() {
        #if canImport(WinSDK)
            SwitchToThread()
        #else
            sched_yield()
        #endif
    }
}
