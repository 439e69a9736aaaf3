import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A connection to an HTTP server on this machine, which stays open between requests.
///
/// Its calls block the thread. Use `onThread`, so that they do not block the pool of the tasks.
final class LoopbackClient {
    struct Response: Equatable {
        let status: Int
        let body: String
    }

    struct Failure: Error { let message: String }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // A request without an answer is an error after a while, and not a test that hangs.
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard status == 0 else { throw Failure(message: "cannot connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Sends a request without a body, and waits for the response.
    func send(_ method: String, _ path: String, headers: [String: String] = [:]) throws -> Response {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + headers.map { "\($0): \($1)" }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Failure(message: "cannot send: \(errno)")
        }
        let head = try take(until: Array("\r\n\r\n".utf8)).split(separator: "\r\n")
        let length = head.lazy.compactMap { line -> Int? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
            return Int(parts[1].trimmingCharacters(in: .whitespaces))
        }.first
        guard let first = head.first, let status = Int(first.split(separator: " ").dropFirst().first ?? ""), let length
        else { throw Failure(message: "not a response: \(head)") }
        while buffer.count < length { try receive() }
        defer { buffer.removeFirst(length) }
        return Response(status: status, body: String(decoding: buffer.prefix(length), as: UTF8.self))
    }

    func get(_ path: String) throws -> Response { try send("GET", path) }

    private func take(until end: [UInt8]) throws -> String {
        while true {
            if let range = buffer.firstRange(of: end) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { throw Failure(message: count == 0 ? "the server closed" : "no answer: \(errno)") }
        buffer += bytes.prefix(count)
    }
}

/// Runs blocking code on a thread of its own.
func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
