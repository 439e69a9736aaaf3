import AsyncHTTPClient
import Container
import Foundation
import PropertyLoaders
import Testing

@Suite("Answers of broken servers", .timeLimit(.minutes(10)))
struct AnswerTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"

    private static let broken: [String: (answer: String, problem: String)] = [
        "short body": (head + "Content-Length: 100\r\n\r\n{\"a\": 1}", "the request has failed: "),
        "no last chunk": (
            head + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"a\": 1}\r\n", "the request has failed: "
        ),
        "no length": (head + "\r\n{\"a\": 1}", "the answer has neither a length nor chunks, so nobody can tell"),
        "an unasked 304": ("HTTP/1.1 304 Not Modified\r\n\r\n", "the server says that nothing has changed"),
        "not HTTP": ("SSH-2.0-OpenSSH_9.2\r\n", "the request has failed: "),
        "nothing": ("", "the request has failed: "),
        "many headers": (
            head + String(repeating: "X: 1\r\n", count: 200_000) + "\r\n", "the request has failed: "
        ),
        "a long header": (
            head + "X: \(String(repeating: "1", count: 400_000))\r\n\r\n", "the request has failed: "
        ),
        "a wrong length": (
            head + "Content-Length: 99999999999999999999\r\n\r\n{}", "the request has failed: "
        ),
        "no location": ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "the server answers with the status 302"),
        // With these two, and with trailers, URLSession of Linux ends the process.
        "cut headers": ("HTTP/1.1 200 OK\r\nX: 1\r\n", "the request has failed: "),
        "a length just below 2^63": (
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n", "the request has failed: "
        ),
    ]

    private func loader(_ server: RawServer, limit: Int = 1 << 20) -> HttpPropertyLoader {
        HttpPropertyLoader(url: server.url, exchange: client.exchange, timeout: .seconds(60), sizeLimit: limit)
    }

    @Test("A truncated, endless or invalid answer is an error", arguments: broken.keys.sorted())
    func invalid(name: String) async throws {
        let (answer, problem) = try #require(Self.broken[name])
        let server = try RawServer(answer)
        let error = await failure(of: loader(server))
        #expect(error?.problem.hasPrefix(problem) == true, "\(error as Any)")
    }

    @Test("Trailers after the chunks are ignored")
    func trailers() async throws {
        let server = try RawServer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"a\": 1}\r\n0\r\nX: 1\r\n\r\n")
        #expect(try await loader(server).values == ["a = 1 (\(server.url):1:7)"])
    }

    @Test("A status without a reason, as Tomcat sends it, chunks of any size and a byte order mark are read")
    func unusual() async throws {
        let chunks = ["\u{FEFF}", "{", "\"a\"", ": 1", "}"].map { "\($0.utf8.count);x=y\r\n\($0)\r\n" }.joined()
        let server = try RawServer("HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
        #expect(try await loader(server).values == ["a = 1 (\(server.url):1:7)"])
    }

    @Test("Early Hints before an answer are skipped")
    func informational() async throws {
        let server = try RawServer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}")
        #expect(try await loader(server).values == ["a = 1 (\(server.url):1:7)"])
    }

    @Test("The headers and the path of a request arrive as they are")
    func request() async throws {
        let server = try RawServer("\(Self.head)Content-Length: 8\r\nETag: \"1\"\r\n\r\n{\"a\": 1}")
        let loader = HttpPropertyLoader(
            url: URL(string: "\(server.url)?dc=a%20b")!, exchange: client.exchange, headers: { ["X-Token": "t\n"] },
            timeout: .seconds(60))
        for _ in 0..<2 { _ = try await loader.load() }
        let requests = server.requests
        #expect(requests.count == 2 && requests[0].hasPrefix("GET /settings.json?dc=a%20b HTTP/1.1\r\n"))
        #expect(requests[0].contains("\r\nX-Token: t\r\n") && !requests[0].contains("If-None-Match"))
        #expect(requests[1].contains("\r\nIf-None-Match: \"1\"\r\n"))
    }

    @Test("A server that does not answer is late, and one that is not there cannot be reached")
    func away() async throws {
        // The other one keeps its port, so that no other test can listen on it.
        let (silent, absent) = (try boundSocket(), try boundSocket())
        defer { for socket in [silent, absent] { close(socket.socket) } }
        listen(silent.socket, 1)
        func loader(_ port: Int, _ timeout: Duration) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: URL(string: "http://127.0.0.1:\(port)/a.json")!, exchange: client.exchange, timeout: timeout)
        }
        let error = try #require(await failure(of: loader(silent.port, .milliseconds(50))))
        #expect(error.reason == .unavailable, "\(error)")
        let missing = try #require(await failure(of: loader(absent.port, .seconds(60))))
        #expect(missing.problem.hasPrefix("the request has failed: ") && missing.reason == .unavailable, "\(missing)")
    }
}
