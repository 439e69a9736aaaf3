import Foundation
import Testing

@Suite("A service under bad conditions", .timeLimit(.minutes(10)))
struct HostileTests {
    @Test(
        "A working directory that is gone, and the root, are named as the reason why a file is not found",
        arguments: [
            (
                "/bin/mkdir gone && cd gone && /bin/rmdir ../gone",
                "config.toml: the directory that the program was started in does not exist any more. Start it in another "
                    + "directory, or give an absolute path."
            ),
            (
                "cd /",
                "config.toml: no such file in /. Create it, correct its path, or start the program in the directory that "
                    + "has it."
            ),
        ])
    func directory(change: String, problem: String) async throws {
        let process = try HostedProcess("", script: "\(change) && exec \"$0\" \"$@\"")
        #expect(await process.status() == 78)
        #expect(process.errors.all.first == problem)
    }

    @Test("Without descriptors for signals, a warning says that a signal ends the process")
    func descriptors() async throws {
        var warned: [Int] = []
        for limit in 7...12 {
            let process = try HostedProcess("body returns", script: "ulimit -n \(limit) && exec \"$0\" \"$@\"")
            let status = await process.status()
            let isHandled = !process.errors.text.contains("warning: signals are not handled, because ")
            if !isHandled { warned.append(limit) }
            // If they are handled, the files of the sources may find no descriptor free.
            #expect(status == 0 || isHandled && status == 69, "\(limit): \(process.errors.text)")
        }
        #expect(!warned.isEmpty && !warned.contains(12))
    }

    @Test("A process that is paused during its stop, for longer than its times, still says what did not end in time")
    func paused() async throws {
        let process = try HostedProcess("body is late")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        try await process.errors.wait { $0.hasPrefix("stopping: SIGTERM") }
        process.send(SIGSTOP)
        // A paused process reports nothing, so only time can pass here: the three times of the stop and a second. If this
        // thread sleeps too short or too long, the test still passes.
        try await Task.sleep(for: .seconds(3))
        process.send(SIGCONT)
        #expect(await process.status() == 70)
        // One of two times is over first.
        #expect(process.errors.text.contains(" did not end within "), "\(process.errors.text)")
    }
}
