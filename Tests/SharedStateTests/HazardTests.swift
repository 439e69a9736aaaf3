import Dispatch
import Foundation
import SharedState
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Hazard")
struct HazardTests {
    @Test("A hazard is active on a thread only during protect")
    func active() {
        let hazard = Hazard(), other = Hazard()
        #expect(!hazard.isActive)
        #expect(hazard.protect { hazard.isActive && !other.isActive })
        #expect(!hazard.isActive && Hazard.activeNumber == 0)
    }

    @Test("A writer waits for readers under its own hazard, and not for readers under another one")
    func waits() {
        let hazard = Hazard(), hasEnded = Atomic(false)
        let isReading = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            hazard.protect {
                isReading.signal()
                // Simulates a reader whose thread is suspended. Real readers never wait.
                mayEnd.wait()
                usleep(50_000)
                hasEnded.store(true, ordering: .relaxed)
            }
        }
        isReading.wait()
        Hazard().waitForReaders()
        let hadEnded = hasEnded.load(ordering: .relaxed)
        mayEnd.signal()
        hazard.waitForReaders()
        let hasEndedNow = hasEnded.load(ordering: .relaxed)
        #expect(!hadEnded && hasEndedNow)
    }

    @Test("A writer that waits for a long time uses little processor time")
    func sleeps() {
        let hazard = Hazard()
        let isReading = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            hazard.protect {
                isReading.signal()
                usleep(300_000)
            }
        }
        isReading.wait()
        let start = processorTime()
        hazard.waitForReaders()
        #expect(processorTime() - start < 0.1)
    }

    /// The processor time of this thread, in seconds.
    private func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    #if os(Linux)
        @Test("After a fork, the child process does not wait for readers on threads that it does not have")
        func fork() throws {
            let hazard = Hazard()
            let isReading = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                hazard.protect {
                    isReading.signal()
                    mayEnd.wait()
                }
            }
            isReading.wait()
            defer { mayEnd.signal() }
            // Swift does not import `fork`.
            typealias Fork = @convention(c) () -> pid_t
            let symbol = try unsafe #require(dlsym(nil, "fork"))
            let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
            if child == 0 {
                // Ends a child that hangs, after 20 seconds.
                alarm(20)
                hazard.waitForReaders()
                _exit(7)
            }
            var status: Int32 = 0
            unsafe waitpid(child, &status, 0)
            #expect(status == 7 << 8)
        }
    #endif
}
