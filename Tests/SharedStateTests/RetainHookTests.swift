import SharedState
import Synchronization
import Testing

#if os(Linux)
    import Glibc

    /// Sees each retain of one object at the moment when it is made, by the hooks that the Swift runtime has for tools.
    ///
    /// The optimizer may move a retain out of the code that protects its object. A stress test finds that by luck only.
    private enum RetainHook {
        typealias Retain = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

        /// The address of the object, or 0. Other tests retain objects on other threads meanwhile.
        private static let watched = Atomic<UInt>(0)
        nonisolated(unsafe) private static var seen: [Bool] = []

        /// Runs a closure on this thread.
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

        // Never changed: threads that are in the hook when it is removed still need it.
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

    @Suite("Retains of published objects", .serialized)
    struct RetainHookTests {
        private final class Object: Sendable {}

        @Test("copy() retains the object under the hazard")
        func copy() throws {
            let object = Object()
            let reference = AtomicReference(object)
            var copied: Object?
            let retains = RetainHook.retains(of: object) { copied = reference.copy() }
            #expect(copied === object)
            #expect(retains.first == true)
            #if !DEBUG
                #expect(retains == [true])
            #endif
        }

        @Test("What a closure takes out of protected code is retained under the hazard")
        func protected() throws {
            let object = Object()
            let hazard = Hazard(), reference = UnprotectedReference(object)
            var copied: Object?
            let retains = RetainHook.retains(of: object) {
                copied = hazard.protect { reference.copy() }
            }
            #expect(copied === object)
            #expect(retains.first == true)
        }

        @Test("The hook sees a retain that is not protected")
        func unprotected() throws {
            let object = Object()
            let reference = UnprotectedReference(object)
            var copied: Object?
            let retains = RetainHook.retains(of: object) {
                copied = reference.copy()
            }
            #expect(copied === object)
            #expect(retains.first == false)
        }
    }
#endif
