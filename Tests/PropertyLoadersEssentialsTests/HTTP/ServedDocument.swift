import Foundation
import PropertyLoadersEssentials
import Synchronization
import Testing

typealias Request = HttpPropertyLoader.Request
typealias Answer = HttpPropertyLoader.Answer

extension Answer {
    /// An answer with a length, unless `headers` has `nil` for it.
    init(_ status: Int = 200, _ body: some Sequence<UInt8>, headers: [String: String] = [:], length: String? = "") {
        let body = Array(body)
        var all = headers.map { (name: $0.key, value: $0.value) }
        if let length { all.append((name: "content-length", value: length.isEmpty ? "\(body.count)" : length)) }
        self.init(status: status, headers: all, body: body)
    }
}

/// A document of a server, without the server: an exchange answers from it, and the test changes it.
final class ServedDocument: Sendable {
    struct Away: Error, CustomStringConvertible { let description = "connection refused" }

    private struct State {
        var text = "", tag = 0
        var isAway = false, refusal: Int?
        var requests: [Request] = []
    }
    private let state: Mutex<State>

    init(_ text: String) { state = Mutex(State(text: text, tag: 1)) }

    /// Changes the document, with a new entity tag.
    func set(_ text: String) {
        state.withLock { state in
            state.text = text
            state.tag += 1
        }
    }

    /// Cuts the server off, or repairs it.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// Lets the server answer with a status and nothing else, or with the document again.
    func refuse(with status: Int?) { state.withLock { $0.refusal = status } }

    var requests: [Request] { state.withLock { $0.requests } }

    @Sendable func exchange(_ request: Request) async throws -> Answer {
        try state.withLock { state in
            state.requests.append(request)
            if state.isAway { throw Away() }
            if let refusal = state.refusal { return Answer(refusal, []) }
            let tag = "\"\(state.tag)\""
            if request.headers["If-None-Match"] == tag { return Answer(304, [], length: nil) }
            return Answer(200, state.text.utf8, headers: ["ETag": tag])
        }
    }
}

/// A time in which even a loaded machine calls an exchange.
let patience = Duration.seconds(3600)

let documentURL = URL(string: "https://config.example.com/settings.json")!

extension HttpPropertyLoader {
    /// Creates a loader whose server gives one answer.
    init(_ answer: Answer, url: URL = documentURL, format: Format? = nil, part: String = "", isSecret: Bool = false) {
        self.init(
            url: url, exchange: { _ in answer }, format: format, part: part, isSecret: isSecret, timeout: patience)
    }

    /// The values of the source as `name=value (place)`.
    var listing: [String] {
        get async throws {
            let store = PropertyStore()
            try await store.apply(awaiting: [self], timeout: patience)
            return store.listing
        }
    }
}

/// Loads a source that must fail, and returns the error.
func failure(
    of loader: HttpPropertyLoader, sourceLocation: SourceLocation = #_sourceLocation
) async -> PropertyLoadError? {
    await #expect(throws: PropertyLoadError.self, sourceLocation: sourceLocation) { try await loader.load() }
}

/// Waits until a condition is true.
func until(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(2)) }
}

extension PropertyStore {
    /// Runs a watcher while a closure runs.
    func watching(_ body: (_ failures: Reports) async throws -> Void) async throws {
        let failures = Reports()
        let watcher = PropertyWatcher(self, debounce: .milliseconds(1)) { error in
            failures.add("\(error)")
        }
        let task = Task { try await watcher.run() }
        defer { task.cancel() }
        try await body(failures)
        task.cancel()
        try await task.value
    }
}

/// The errors that a watcher has reported.
final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
