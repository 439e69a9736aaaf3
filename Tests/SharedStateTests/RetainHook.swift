import SharedState
import Synchronization

#if os(Linux)
    import Glibc

    /// Observes each retain of one object, by a hook that the Swift runtime has for tools.
    ///
    /// The optimizer could move a retain out of the code that protects the object. A stress test would find such an
    /// error only by chance.
    enum RetainHook {
        typealias Retain = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

        /// The address of the observed object, or 0. The hook ignores all other objects, which other tests retain on
        /// other threads at the same time.
        private static let watched = Atomic<UInt>(0)
        /// For each retain of the object, whether the thread was under a hazard.
        nonisolated(unsafe) private static var seen: [Bool] = []

        /// Runs a closure on this thread and observes the retains of an object.
        ///
        /// - Returns: for each retain of the object, whether the thread was under a hazard.
        static func retains(of object: AnyObject, during body: () -> Void) -> [Bool] {
            unsafe start(Unmanaged.passUnretained(object).toOpaque())
            body()
            return stop()
        }

        nonisolated(unsafe) private static let hook = unsafe dlsym(nil, "_swift_retain")?.assumingMemoryBound(
            to: Retain.self)
        nonisolated(unsafe) private static let isEnabled = unsafe dlsym(
            nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")?
            .assumingMemoryBound(to: Bool.self)

        // Stays valid after the hook is removed, because other threads may still be running the hook.
        private static let original = unsafe hook?.pointee

        private static func start(_ object: UnsafeMutableRawPointer) {
            guard let hook = unsafe hook, let isEnabled = unsafe isEnabled, unsafe original != nil else { return }
            unsafe seen = []
            unsafe isEnabled.pointee = true
            unsafe hook.pointee = retainSeen
            watched.store(UInt(bitPattern: object), ordering: .relaxed)
        }

        private static func stop() -> [Bool] {
            watched.store(0, ordering: .relaxed)
            guard let hook = unsafe hook, let isEnabled = unsafe isEnabled, let original = unsafe original else {
                return []
            }
            unsafe hook.pointee = original
            unsafe isEnabled.pointee = false
            return unsafe seen
        }

        fileprivate static func see(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            let address = UInt(bitPattern: raw)
            if address != 0, address == watched.load(ordering: .relaxed) {
                unsafe seen.append(Hazard.activeNumber != 0)
            }
            return unsafe original?(raw)
        }
    }

    private func retainSeen(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        unsafe RetainHook.see(raw)
    }
#endif
