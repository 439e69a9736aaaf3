import AsyncHTTPClient
import Foundation
import Testing

/// An etcd of its own on this machine, with its data in a folder that is removed with it.
final class EtcdServer {
    struct Failure: Error { let message: String }

    let url: String
    private let folder = FileManager.default.temporaryDirectory.appending(path: "etcd-\(UUID().uuidString)")
    private let port: Int, peerPort: Int
    private var process: Process?

    /// Starts an etcd.
    init() async throws {
        (port, peerPort) = try freePorts()
        url = "http://127.0.0.1:\(port)"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it again with the same data.
    ///
    /// - Parameter isHidden: whether it listens on another port, where nobody but `send` finds it.
    /// - Throws: an error if it does not answer within a minute.
    func start(isHidden: Bool = false) async throws {
        let process = Process(), peer = "http://127.0.0.1:\(peerPort)"
        hiddenURL = isHidden ? "http://127.0.0.1:\(try freePorts().0)" : nil
        process.executableURL = Neighbour.path(of: "etcd")
        process.arguments = [
            "--data-dir", folder.appending(path: "data").path, "--listen-client-urls", hiddenURL ?? url,
            "--advertise-client-urls", hiddenURL ?? url, "--listen-peer-urls", peer,
            "--initial-advertise-peer-urls", peer, "--initial-cluster", "default=\(peer)",
        ]
        let log = folder.appending(path: "log")
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        self.process = process
        for _ in 0..<1200 where process.isRunning {
            if (try? await put("/ready", "")) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure(message: String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }

    /// Ends it at once, in the middle of whatever it does.
    func kill() {
        guard let process, process.isRunning else { return }
        _ = signalled(process.processIdentifier)
        process.waitUntilExit()
    }

    func put(_ key: String, _ value: String) async throws {
        try await send("kv/put", #"{"key": "\#(base64(key))", "value": "\#(base64(value))"}"#)
    }

    func delete(_ key: String) async throws { try await send("kv/deleterange", #"{"key": "\#(base64(key))"}"#) }

    /// Removes the history of all keys up to now.
    func compact() async throws {
        struct Answer: Decodable {
            struct Header: Decodable { let revision: String }
            let header: Header
        }
        let answer = try await send("kv/range", #"{"key": "\#(base64("/ready"))"}"#)
        let revision = try JSONDecoder().decode(Answer.self, from: answer).header.revision
        try await send("kv/compaction", #"{"revision": "\#(revision)", "physical": true}"#)
    }

    private var hiddenURL: String?

    @discardableResult
    private func send(_ path: String, _ body: String) async throws -> Data {
        var request = HTTPClientRequest(url: "\(hiddenURL ?? url)/v3/\(path)")
        request.method = .POST
        request.body = .bytes(Data(body.utf8))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
        let answer = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .ok else { throw Failure(message: String(buffer: answer)) }
        return Data(answer.readableBytesView)
    }

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}

private func signalled(_ process: Int32) -> Int32 { kill(process, SIGKILL) }

/// Two ports that were free a moment ago.
private func freePorts() throws -> (Int, Int) {
    let sockets = [0, 1].map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    defer { for socket in sockets { close(socket) } }
    let ports = sockets.compactMap { descriptor -> Int? in
        var address = sockaddr_in(), size = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        return status ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
    guard ports.count == 2 else { throw EtcdServer.Failure(message: "no free ports: \(errno)") }
    return (ports[0], ports[1])
}
