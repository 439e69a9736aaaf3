import Foundation
import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

/// Counts the system calls of each kind, for the rules of `InjectedFailures`.
final class Calls: Sendable {
    private let numbers = Mutex<[InjectedFailures.Call: Int]>([:])

    /// Counts a call, and returns its number among the calls of its kind, starting at 1.
    func next(_ call: InjectedFailures.Call) -> Int {
        numbers.withLock {
            $0[call, default: 0] += 1
            return $0[call] ?? 0
        }
    }

    func count(_ call: InjectedFailures.Call) -> Int { numbers.withLock { $0[call] ?? 0 } }
}

// Each test runs in its own process, because injected failures affect the whole process.
@Suite("System calls that fail while files are read", .hangLimit)
struct SystemTests {
    @Test("A file that is truncated while it is read is read again")
    func cut() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let file = try scratch.write("x = 1", to: "c.toml")
            let calls = Calls()
            InjectedFailures.set { call in
                if call == .read, calls.next(call) == 1 { _ = unsafe truncate(file.path, 0) }
                if call == .open, calls.next(call) == 2 { try? Data("x = 2".utf8).write(to: file) }
                return nil
            }
            #expect(try PropertyStore(sources: TomlPropertyLoader(url: file)).values == ["x=2"])
        }
    }

    @Test("A file that changes each time that it is read is an error")
    func restless() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let file = try scratch.write("x = 1", to: "c.toml")
            let calls = Calls()
            InjectedFailures.set { call in
                // Changes the file at the first read after each open.
                if call == .open { _ = calls.next(.open) }
                if call == .read, calls.count(.open) > calls.count(.read) {
                    try? Data(("x = 1" + String(repeating: " ", count: calls.next(.read))).utf8).write(to: file)
                }
                return nil
            }
            let error = loadError { try TomlPropertyLoader(url: file).load() }
            #expect(error?.reason == .unavailable)
            #expect(error?.problem == "the file cannot be read now: it changes each time that it is read")
        }
    }

}
