import Foundation

/// Runs a closure on a thread with a stack of 512 KiB, the smallest default of a secondary thread that the package
/// supports.
///
/// Under ThreadSanitizer and AddressSanitizer, whose stack frames are several times as large, the stack has 8 MiB.
///
/// - Parameter body: the closure.
/// - Returns: the result of the closure.
package func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = isSanitized ? 8 << 20 : 512 << 10
        thread.start()
    }
}

/// Whether the process runs under ThreadSanitizer or AddressSanitizer.
package var isSanitized: Bool {
    #if os(Linux)
        unsafe dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    #else
        false
    #endif
}
