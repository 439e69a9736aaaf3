import AsyncHTTPClient
import Foundation
import PropertyLoaders
import Synchronization

/// The keys of etcd that begin with a prefix: with the prefix `/shop/`, the key `/shop/db/host` is `db.host`.
final class EtcdPropertyLoader: AsyncPropertyLoader {
    private let client: HTTPClient
    private let url: String, prefix: String, isSecret: Bool
    private let revision = Mutex(0)  // That of the last load.

    init(client: HTTPClient, url: String, prefix: String, isSecret: Bool = false) {
        (self.client, self.url, self.prefix, self.isSecret) = (client, url, prefix, isSecret)
    }

    func load() async throws -> PropertyLayer {
        let body = try await send("{\(range)}", to: "kv/range").body.collect(upTo: 16 << 20)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView))
        let pairs = answer.kvs ?? []
        let source = PropertySource(
            name: "etcd", identity: "etcd \(url) \(prefix)",
            labels: pairs.map { "\(String(decoding: $0.key, as: UTF8.self)) revision \($0.mod_revision)" })
        let entries = pairs.enumerated().map { index, pair in
            let name = String(decoding: pair.key.dropFirst(prefix.utf8.count), as: UTF8.self)
            let value = PropertyValue.text(String(decoding: pair.value ?? Data(), as: UTF8.self))
            return PropertyTable.Entry(
                key: name.replacing("/", with: "."),
                node: PropertyNode(value, origin: PropertyOrigin(source: source, place: UInt32(index))))
        }
        revision.withLock { $0 = Int(answer.header.revision) ?? 0 }
        return PropertyLayer(PropertyTable(entries: entries), source: source, isSecret: isSecret)
    }

    var changes: some AsyncSequence<Void, any Error> {
        AsyncThrowingStream<Void, any Error>(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await watch { continuation.yield() }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Reads the events after the loaded revision until the connection ends, or until etcd has removed some of them
    /// (compaction). The watcher then loads all keys again.
    private func watch(_ changed: () -> Void) async throws {
        let start = revision.withLock { $0 } + 1
        let request = #"{"create_request": {\#(range), "start_revision": \#(start), "progress_notify": true}}"#
        var rest = Data()
        for try await part in try await send(request, to: "watch").body {
            rest.append(contentsOf: part.readableBytesView)
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let message = try JSONDecoder().decode(Message.self, from: rest[..<end])
                rest = Data(rest[rest.index(after: end)...])
                guard let result = message.result else { throw failure("the watch has failed") }
                if result.canceled == true { return }
                if result.events != nil { changed() }
            }
        }
    }

    /// The range of the keys with the prefix, as a part of a request.
    private var range: String {
        let end = prefix.utf8.dropLast() + prefix.utf8.suffix(1).map { $0 + 1 }
        let bounds = [Data(prefix.utf8), Data(end)].map { $0.base64EncodedString() }
        return #""key": "\#(bounds[0])", "range_end": "\#(bounds[1])""#
    }

    private func send(_ body: String, to path: String) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: "\(url)/v3/\(path)")
        request.method = .POST
        request.body = .bytes(Data(body.utf8))
        do {
            let response = try await client.execute(request, timeout: .seconds(5))
            if response.status == .ok { return response }
            throw failure("the answer has the status \(response.status)")
        } catch let error where !(error is PropertyLoadError) {
            throw failure("it cannot be reached: \(error)")
        }
    }

    private func failure(_ problem: String) -> PropertyLoadError {
        PropertyLoadError(.unavailable, problem, at: PropertyOrigin(source: PropertySource(name: "etcd \(url)")))
    }

    private struct Answer: Decodable {
        struct Header: Decodable { let revision: String }
        struct Pair: Decodable { let key: Data, mod_revision: String, value: Data? }
        let header: Header, kvs: [Pair]?
    }
    private struct Message: Decodable {
        struct Event: Decodable {}
        struct Result: Decodable { let canceled: Bool?, events: [Event]? }
        let result: Result?
    }
}
