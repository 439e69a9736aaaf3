import Foundation
import PropertyLoadersEssentials
import TestSupport
import Testing

/// Serialized with the other tests that change what system calls return: each runs in a process of its own.
@Suite("Files whose times have whole seconds")
struct FileFingerprintTests {
    @Test(
        "A file that changes again within its second is noticed, although its size and times stay (in a child process)")
    func withinSecond() async throws {
        let scratch = try Scratch()
        let path = scratch.file("config.toml").path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let time = Duration.seconds(1_000_000)
            InjectedFailures.set(times: time)
            // Writes into the same file, so that its number stays.
            func write(_ text: String) throws {
                if let file = FileHandle(forWritingAtPath: path) {
                    try file.write(contentsOf: Data(text.utf8))
                } else {
                    try Data(text.utf8).write(to: URL(filePath: path))
                }
            }
            func look(_ age: Duration, after former: FileFingerprint?) -> FileFingerprint {
                FileFingerprint([path], after: former, now: time + age)
            }
            try write("x = 1")
            let first = look(.milliseconds(300), after: nil)
            let same = look(.milliseconds(600), after: first)
            #expect(!same.differs(from: first))
            try write("x = 2")
            let second = look(.milliseconds(900), after: same)
            #expect(second.differs(from: same))
            // The next look may be late.
            try write("x = 3")
            let late = look(.seconds(60), after: second)
            #expect(late.differs(from: second))
            // A file that does not change settles, without a reload and without being read again.
            let settled = look(.seconds(61), after: late)
            #expect(!settled.differs(from: late))
            #expect(!look(.seconds(62), after: settled).differs(from: settled))
            // Times in the future come from a file server whose clock is ahead.
            let ahead = look(.seconds(-60), after: settled)
            try write("x = 4")
            #expect(look(.seconds(-59), after: ahead).differs(from: ahead))
        }
    }

    @Test("A watcher on such a file system ends with the last of many changes of the same size (in a child process)")
    func watcher() async throws {
        let scratch = try Scratch()
        let url = try scratch.write("x = 1000", to: "config.toml")
        let path = url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            InjectedFailures.set(times: .seconds(Date().timeIntervalSince1970.rounded(.down) + 3600))
            let store = PropertyStore()
            try store.apply(TomlPropertyLoader(url: URL(filePath: path)))
            let running = Running(store, polling: .milliseconds(2))
            for number in 1001...1040 {
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.write(contentsOf: Data("x = \(number)".utf8))
                await running.wait(for: "x", number)
            }
            try await running.stop()
            #expect(store.property("x") == 1040)
        }
    }
}
