import Container
import Foundation
import HTTPPropertyLoader
import Synchronization
import TestSupport
import Testing

/// Values that a test waits for, in the order in which they arrived.
final class Log<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func add(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
}

/// Waits until a condition is true.
func wait(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(5)) }
}

extension Container {
    /// Waits until a property has a value.
    func wait<T: Equatable & Sendable>(for name: String, _ value: T?) async {
        let changes = changes(of: name, as: T.self)
        if changes.current == value { return }
        for await change in changes where change.new == value { return }
    }

    /// Runs a watcher while a closure runs.
    func watching(_ body: (_ failures: Log<String>) async throws -> Void) async throws {
        let failures = Log<String>()
        let watcher = PropertyWatcher(self, debounce: .milliseconds(5)) { failures.add("\($0)") }
        let task = Task { try await watcher.run() }
        defer { task.cancel() }
        try await body(failures)
        task.cancel()
        try await task.value
    }
}

/// Loads a source that must fail, and returns the error.
func failure(
    of loader: HTTPPropertyLoader, sourceLocation: SourceLocation = #_sourceLocation
) async -> PropertyLoadError? {
    await #expect(throws: PropertyLoadError.self, sourceLocation: sourceLocation) { try await loader.load() }
}

extension HTTPPropertyLoader {
    /// The values of the source as `name = value (place)`.
    var values: [String] {
        get async throws {
            let store = PropertyStore()
            try await store.apply(awaiting: [self])
            return store.entries.map(\.description)
        }
    }
}

/// A program of the tests that loads a URL, so that a test can set its environment and measure its memory.
struct HTTPServiceRun {
    let output: String
    /// The most memory that it had during the load in addition to that before, in KB. After several loads, the number of
    /// files that the others have left open.
    let number: Int

    /// - Parameters:
    ///   - url: the URL.
    ///   - authority: the file of the only authority for certificates, or nil for those of the system.
    ///   - loads: how often it loads the URL, or nil for once.
    /// - Throws: an error if the program crashes.
    init(_ url: String, authority: String? = nil, loads: Int? = nil) async throws {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "HTTPService")
        let process = Process()
        // A file instead of a pipe, whose end other processes that start meanwhile would inherit.
        let file = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        process.executableURL = program
        process.arguments = [url] + (loads.map { ["\($0)"] } ?? [])
        if let authority {
            // In a process with mounts of its own.
            let script = #"mount --bind "$0" \#(Self.authorities) && exec "$1" "$2""#
            process.executableURL = NginxServer.path(of: "unshare")
            process.arguments = ["-rm", "sh", "-c", script, authority, program.path, url]
        }
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: file)
        try await process.runToEnd()
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
        output = lines.dropLast().joined(separator: "\n")
        number = try #require(Int(lines.last ?? ""))
    }

    private static let authorities = "/etc/ssl/certs/ca-certificates.crt"

    /// Whether a test can set the authorities of a process. A line says so if not.
    static let canSetAuthority: Bool = {
        let process = Process()
        process.executableURL = NginxServer.path(of: "unshare")
        process.arguments = ["-rm", "mount", "--bind", "/dev/null", authorities]
        let isPossible = (try? process.run()) != nil && NginxServer.path(of: "openssl") != nil
        if isPossible { process.waitUntilExit() }
        if isPossible, process.terminationStatus == 0 { return true }
        print("SKIPPED: the test of TLS, because openssl is not installed, or this user may not mount (unshare -rm)")
        return false
    }()
}
