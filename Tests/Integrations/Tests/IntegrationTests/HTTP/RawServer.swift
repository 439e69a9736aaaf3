import Foundation
import Synchronization

/// A server that sends bytes which no proper server sends, and closes the connection.
final class RawServer: Sendable {
    private let socket: Int32
    private let port: Int
    private let answers: Mutex<[[UInt8]]>
    private let heads = Mutex<[String]>([])

    /// Starts the server.
    ///
    /// - Parameter answers: the bytes for each request. The last ones are repeated.
    /// - Throws: an error if there is no free port.
    init(_ answers: String...) throws {
        let bound = try boundSocket()
        (socket, port) = (bound.socket, bound.port)
        self.answers = Mutex(answers.map { Array($0.utf8) })
        listen(socket, 16)
        Thread.detachNewThread { [weak self, socket] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                self?.serve(connection)
                close(connection)
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)/settings.json")! }

    /// The requests that were received.
    var requests: [String] { heads.withLock { $0 } }

    private func serve(_ connection: Int32) {
        var request: [UInt8] = []
        while request.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { return }
            request += bytes.prefix(count)
        }
        heads.withLock { $0.append(String(decoding: request, as: UTF8.self)) }
        let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        var rest = answer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
