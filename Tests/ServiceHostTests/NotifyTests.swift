import Foundation
import Testing

/// What a process manager is told by the socket of `NOTIFY_SOCKET`.
@Suite("The messages to a process manager", .timeLimit(.minutes(10)))
struct NotifyTests {
    /// A socket of a process manager, at a path or with an abstract name.
    private final class Manager {
        let address: String
        let messages: AsyncStream<String>
        private var iterator: AsyncStream<String>.AsyncIterator
        private(set) var all: [String] = []

        init(isAbstract: Bool = false) throws {
            let name = "/notify-\(UUID().uuidString)"
            let path = FileManager.default.temporaryDirectory.path + name
            address = isAbstract ? "@\(name)" : path
            let descriptor = try NotifySocketReader.open(isAbstract ? [0] + Array(name.utf8) : Array(path.utf8) + [0])
            let (messages, continuation) = AsyncStream.makeStream(of: String.self)
            self.messages = messages
            iterator = messages.makeAsyncIterator()
            DispatchQueue(label: "notify").async {
                while let message = NotifySocketReader.receive(from: descriptor) { continuation.yield(message) }
            }
        }

        var variables: [String: String] { ["NOTIFY_SOCKET": address] }
        /// The messages without the statuses.
        var states: [String] { all.filter { !$0.hasPrefix("STATUS=") } }
        var statuses: [String] { all.filter { $0.hasPrefix("STATUS=") } }

        /// Waits for a message that fits.
        @discardableResult
        func wait(until isWanted: (String) -> Bool) async throws -> String {
            while let next = await iterator.next() {
                all.append(next)
                if isWanted(next) { return next }
            }
            throw Lines.Failure(description: "the message did not come; there are: \(all)")
        }

        func wait(for message: String) async throws { try await wait { $0 == message } }

        deinit { if !address.hasPrefix("@") { unsafe unlink(address) } }
    }

    private static var reloading: Regex<Substring> { /^RELOADING=1\nMONOTONIC_USEC=\d+$/ }

    @Test("It is ready when it has started, reloads at SIGHUP, and stops, by a path or an abstract name")
    func life() async throws {
        for isAbstract in [false, true] {
            let manager = try Manager(isAbstract: isAbstract)
            let process = try HostedProcess("unwatched", variables: manager.variables)
            try await manager.wait(for: "READY=1")
            #expect(manager.all.count == 2)
            #expect(manager.all.first?.contains(/^STATUS=started in \d+\.\d+ s: 2 services$/) == true)
            let before = monotonicMicroseconds()
            process.send(SIGHUP)
            let message = try await manager.wait { $0.contains(Self.reloading) }
            let time = try #require(message.split(separator: "=").last.flatMap { Int($0) })
            #expect(before...monotonicMicroseconds() ~= time)
            try await manager.wait(for: "READY=1")
            #expect(manager.statuses.last == "STATUS=reloaded: nothing has changed")
            process.send(SIGTERM)
            try await manager.wait(for: "STOPPING=1")
            try await manager.wait { $0.hasPrefix("STATUS=stopping: SIGTERM") }
            #expect(await process.status() == 0)
            #expect(manager.states.count == 4)
        }
    }

    @Test("Each reload ends for the process manager, also one that is refused, is not taken, or is one of several")
    func reloads() async throws {
        let manager = try Manager(), process = try HostedProcess("unwatched", variables: manager.variables)
        try await manager.wait(for: "READY=1")
        try process.replace("unwatched.json", by: "{\"text\": 5, \"port\": \"a\\nREADY=1\"}")
        process.send(SIGHUP)
        try await manager.wait { $0.contains(Self.reloading) }
        try await manager.wait(for: "READY=1")
        let status = try #require(manager.statuses.last)
        #expect(status.hasPrefix("STATUS=not reloaded: unwatched.json:1:") && !status.contains("\n"), "\(status)")
        for _ in 0..<5 { process.send(SIGHUP) }
        process.send(SIGTERM)
        try await manager.wait(for: "STOPPING=1")
        #expect(await process.status() == 0)
        let reloads = manager.states.filter { $0.contains(Self.reloading) }.count
        // The system merges signals that wait.
        #expect((1...6).contains(reloads))
    }

    @Test("Where SIGHUP reloads nothing, a reload ends, too")
    func notTaken() async throws {
        let manager = try Manager()
        let process = try HostedProcess("unwatched, no hangup", variables: manager.variables)
        try await manager.wait(for: "READY=1")
        process.send(SIGHUP)
        try await manager.wait { $0.contains(Self.reloading) }
        try await manager.wait(for: "READY=1")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(manager.statuses.contains("STATUS=not reloaded: the service does not reload its settings at SIGHUP"))
    }

    @Test("A body that reports itself is ready at its word, and not before, also if a reload comes between")
    func byBody() async throws {
        let manager = try Manager(), process = try HostedProcess("reports ready", variables: manager.variables)
        try await process.output.wait(for: "serving")
        process.send(SIGHUP)
        try await process.errors.wait(for: "reloaded: nothing has changed")
        try await manager.wait(for: "STATUS=reloaded: nothing has changed")
        #expect(manager.states == [])
        try process.replace("go", by: "")
        try await manager.wait(for: "READY=1")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("A start that fails is stopping with its problem, and is never ready")
    func failure() async throws {
        let manager = try Manager()
        let process = try HostedProcess("start fails with lines", variables: manager.variables)
        #expect(await process.status() == 69)
        try await manager.wait(for: "STOPPING=1")
        #expect(manager.states == ["STOPPING=1"])
        #expect(
            manager.statuses == [#"STATUS=Server: the factory of Server threw: the network\nis down\u{1b}[2J"#])
    }

    @Test("Checks and commands tell nothing")
    func answers() async throws {
        let manager = try Manager()
        for arguments in [["--check"], ["services"], ["settings", "dump"], ["--help"]] {
            let process = try HostedProcess("", arguments, variables: manager.variables)
            #expect(await process.status() == 0)
        }
        // The first message is of the next process.
        let process = try HostedProcess("body returns", variables: manager.variables)
        try await manager.wait(for: "STOPPING=1")
        #expect(await process.status() == 0)
        #expect(manager.states == ["READY=1", "STOPPING=1"])
        #expect(manager.all.count == 4 && manager.all.contains("STATUS=the service ended by itself"))
    }

    private static let wrongAddress = "so the process manager is told nothing. Correct the variable, or unset it"
    private static let noReader =
        "the process manager does not get what is sent. Check that its socket exists, and that this user may write to it"

    @Test(
        "An address that is not valid, or where nobody reads, is one warning, and the service runs",
        arguments: [
            ("vsock:2:1234", "its value is neither a path nor @ and a name, \(wrongAddress)"),
            (
                "/\(String(repeating: "n", count: 108))",
                "its value is too long for the address of a socket, \(wrongAddress)"
            ),
            ("/nowhere/notify", "No such file or directory; \(noReader)"),
            ("@nobody-\(UUID().uuidString)", "Connection refused; \(noReader)"),
        ])
    func problems(address: String, problem: String) async throws {
        let process = try HostedProcess("body returns", variables: ["NOTIFY_SOCKET": address])
        #expect(await process.status() == 0)
        #expect(process.errors.said == ["warning: NOTIFY_SOCKET: \(problem)"])
    }

    @Test("A process manager that does not read delays neither the service nor its end by more than a second")
    func stalled() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/notify-\(UUID().uuidString)"
        let descriptor = try NotifySocketReader.open(Array(path.utf8) + [0])
        defer {
            close(descriptor)
            unsafe unlink(path)
        }
        let process = try HostedProcess("unwatched", variables: ["NOTIFY_SOCKET": path])
        try await process.output.wait(for: "serving")
        // More messages than the queue of a socket takes.
        for _ in 0..<300 {
            process.send(SIGHUP)
            try await process.errors.wait(for: "reloaded: nothing has changed")
        }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("A long status is cut, and is still one message")
    func longStatus() async throws {
        let manager = try Manager(), name = String(repeating: "ä", count: 3000)
        let process = try HostedProcess(
            "body returns", files: ["config.toml": "\"\(name)\" = 1"], variables: manager.variables)
        #expect(await process.status() == 78)
        let status = try await manager.wait { $0.hasPrefix("STATUS=config.toml:1:1: ") }
        #expect(status.utf8.count <= 1020 && status.hasSuffix("ä…"))
    }
}

/// The receiving end of a datagram socket.
private enum NotifySocketReader {
    /// Opens a socket with an address, which is the path with a zero byte, or the abstract name after one.
    static func open(_ path: [UInt8]) throws -> CInt {
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
            let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let size = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + path.count)
        let result = unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
        }
        guard result == 0 else {
            throw Lines.Failure(description: "cannot bind: \(unsafe String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Waits for a message.
    static func receive(from descriptor: CInt) -> String? {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return String(decoding: buffer[..<count], as: UTF8.self) }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}

private func monotonicMicroseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}
