import Container
import Foundation
import SharedState
import Synchronization
import Testing

#if os(Linux)
    // The runtime's hook is one for the whole process, and not made for other threads: while it is set or removed, a
    // retain on one of them can crash. So these tests run only in a process of their own.
    @Suite(
        "Retains of published objects", .serialized,
        .enabled(if: ProcessInfo.processInfo.environment["RETAIN_HOOK"] != nil, "set RETAIN_HOOK, and run no others"))
    struct RetainHookTests {
        private final class Object: Sendable {
            private let first = Atomic(0)
            private let second = Atomic(0)
            var isWhole: Bool { first.load(ordering: .relaxed) == second.load(ordering: .relaxed) }
        }

        @Test("copy() retains the object while the thread is under the hazard")
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

        @Test("An object that copy() returns is retained under the hazard where the caller uses it at once")
        func used() throws {
            let object = Object()
            let reference = AtomicReference(object)
            var whole = 0
            let retains = RetainHook.retains(of: object) {
                for _ in 0..<3 { if reference.copy()?.isWhole == true { whole += 1 } }
            }
            #expect(whole == 3)
            #expect(!retains.isEmpty && retains.allSatisfy { $0 })
        }

        @Test("An object that protect returns is retained while the thread is under the hazard")
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

        @Test("A resolve retains an existing singleton while the thread is under the hazard of its container")
        func resolved() throws {
            let container = Container()
            container.register(Object.self) { _ in Object() }.inObjectScope(.container)
            let object = try container.require(Object.self)
            var resolved: Object?
            let retains = RetainHook.retains(of: object) { resolved = container.resolve(Object.self) }
            #expect(resolved === object)
            #expect(retains.first == true)
        }

        @Test("The hook detects a retain that no hazard protects")
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
