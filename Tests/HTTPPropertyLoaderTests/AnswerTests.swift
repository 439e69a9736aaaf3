import Container
import Foundation
import HTTPPropertyLoader
import TestSupport
import Testing

@Suite("Answers of broken servers", .timeLimit(.minutes(30)))
struct AnswerTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"

    private static let broken: [String: (answer: String, problem: String)] = [
        "short body": (head + "Content-Length: 100\r\n\r\n{\"a\": 1}", "the request has failed: "),
        "no last chunk": (
            head + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"a\": 1}\r\n", "the request has failed: "
        ),
        "no length": (head + "\r\n{\"a\": 1}", "the answer has neither a length nor chunks, so nobody can tell"),
        "not gzip": (
            head + "Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\n{\"a\": 1}", "the request has failed: "
        ),
        "an unasked 304": ("HTTP/1.1 304 Not Modified\r\n\r\n", "the server says that nothing has changed"),
        "not HTTP": ("SSH-2.0-OpenSSH_9.2\r\n", "the request has failed: "),
        "nothing": ("", "the request has failed: "),
        "many headers": (
            head + String(repeating: "X: 1\r\n", count: 200_000) + "\r\n", "the request has failed: "
        ),
        "a long header": (
            head + "X: \(String(repeating: "1", count: 400_000))\r\n\r\n",
            "the request has failed: out of memory, or a header is too long"
        ),
        "a wrong length": (
            head + "Content-Length: 99999999999999999999\r\n\r\n{}", "the answer has 2 bytes, which is not"
        ),
        "no location": ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "the server answers with the status 302"),
    ]

    private static let fatal = [
        "headers": "HTTP/1.1 200 OK\r\nX: 1\r\n",
        "length": "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
        "trailers": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"a\": 1}\r\n0\r\nX: 1\r\n\r\n",
    ]

    @Test("A truncated, endless or invalid answer is an error", arguments: broken.keys.sorted())
    func invalid(name: String) async throws {
        let (answer, problem) = try #require(Self.broken[name])
        let server = try RawServer(answer)
        let error = await failure(of: HTTPPropertyLoader(url: server.url))
        #expect(error?.problem.hasPrefix(problem) == true, "\(error as Any)")
    }

    @Test("A status without a reason, as Tomcat sends it, chunks of any size and a byte order mark are read")
    func unusual() async throws {
        let chunks = ["\u{FEFF}", "{", "\"a\"", ": 1", "}"].map { "\($0.utf8.count);x=y\r\n\($0)\r\n" }.joined()
        let server = try RawServer("HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
        #expect(try await HTTPPropertyLoader(url: server.url).values == ["a = 1 (\(server.url):1:7)"])
    }

    @Test("Early Hints before an answer are skipped")
    func informational() async throws {
        let server = try RawServer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}")
        #expect(try await HTTPPropertyLoader(url: server.url).values == ["a = 1 (\(server.url):1:7)"])
    }

    // For trailers and headers, the source of FoundationNetworking for Swift 6.4 has an error in place of the fatalError;
    // it still converts the length, which rounds to 2^63, from Double to Int64. An issue that is not recorded any more
    // fails here. Then remove it, and what the loader, the article and SECURITY.md say about it.
    @Test(
        "Trailers, headers that are cut off, and a length just below 2^63 end no process",
        arguments: fatal.keys.sorted())
    func survived(name: String) async throws {
        let server = try RawServer(try #require(Self.fatal[name]))
        await withKnownIssue("URLSession of Swift 6.3 ends the process") {
            _ = try await HTTPServiceRun(server.url.absoluteString)
        }
    }

    @Test(
        "Behind nginx, an answer loses its trailers, and one that ends within its headers is the status 502",
        .enabled(if: NginxServer.program != nil))
    func proxied() async throws {
        let servers = try Self.fatal.filter { $0.key != "length" }.mapValues { try RawServer($0) }
        let nginx = try await NginxServer(
            locations: servers.map { "location /\($0) { proxy_http_version 1.1; proxy_pass \($1.url); }" }.joined())
        func loader(_ name: String) -> HTTPPropertyLoader {
            HTTPPropertyLoader(url: URL(string: "\(nginx.url)/\(name)")!, format: .json)
        }
        #expect(try await loader("trailers").values == ["a = 1 (\(nginx.url)/trailers:1:7)"])
        #expect(await failure(of: loader("headers"))?.problem == "the server answers with the status 502")
    }

    @Test("A URL of another kind, a type without a format, a header of two lines and a missing part say what to do")
    func mistakes() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 17\r\n\r\n{\"a\": {\"b\": 1}}  "
        #expect(
            await failure(of: HTTPPropertyLoader(url: URL(filePath: "/etc/a.json")))?.description
                == "file:///etc/a.json: this is not the URL of an HTTP server; expected http:// or https:// and a host")
        let server = try RawServer(answer)
        let typed = server.url.deletingPathExtension()
        #expect(
            await failure(of: HTTPPropertyLoader(url: typed))?.description
                == "\(typed): the answer has the type 'text/html', which is none of the known formats. Give the loader a "
                + "`format`.")
        #expect(
            await failure(of: HTTPPropertyLoader(url: server.url, headers: { ["X-Token": "a\r\nHost: b"] }))?
                .description
                == "\(server.url): the header 'X-Token' has a control character; expected a name and one line of text")
        #expect(
            await failure(of: HTTPPropertyLoader(url: server.url, part: "a.c"))?.description
                == "\(server.url): the document has no table 'a.c'. Correct the `part` of the loader.")
        #expect(try await HTTPPropertyLoader(url: server.url, part: "a").values == ["b = 1 (\(server.url):1:13)"])
    }

    @Test("The headers are made for each request")
    func headers() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"1\"\r\n\r\n{\"a\": 1}")
        let tokens = Log<String>()
        let loader = HTTPPropertyLoader(
            url: server.url,
            headers: {
                tokens.add("")
                return ["X-Token": "token\(tokens.all.count)\n"]
            })
        for _ in 0..<2 { _ = try await loader.load() }
        let requests = server.requests
        #expect(requests.count == 2 && requests[0].hasPrefix("GET /settings.json HTTP/1.1\r\n"))
        #expect(requests[0].contains("\r\nX-Token: token1\r\n") && requests[1].contains("\r\nX-Token: token2\r\n"))
        #expect(requests[1].contains("\r\nIf-None-Match: \"1\"\r\n") && !requests[0].contains("If-None-Match"))
    }

    @Test("Credentials are masked in the messages of the system, but not each letter of a short value")
    func maskedMessages() async throws {
        let bound = try boundSocket()
        defer { close(bound.socket) }
        func problem(_ query: String) async -> String? {
            await failure(of: HTTPPropertyLoader(url: URL(string: "http://127.0.0.1:\(bound.port)/a.json?\(query)")!))?
                .problem
        }
        #expect(await problem("dc=a&n=1")?.contains(" 127.0.0.1 port \(bound.port)") == true)
        #expect(await problem("token=127.0.0.1")?.contains(" ******** port \(bound.port)") == true)
    }

    @Test("Headers that cannot be made say which source needs them")
    func missingToken() async throws {
        let loader = HTTPPropertyLoader(
            url: URL(string: "http://127.0.0.1:1/a.json?token=s3cret")!,
            headers: { ["X-Token": try String(contentsOfFile: "/none/token", encoding: .utf8)] })
        let error = await #expect(throws: ConfigurationErrors.self) { try await Container().start([loader]) }
        let text = "http://127.0.0.1:1/a.json: the headers cannot be made: /none/token: "
        #expect(error?.description.hasPrefix(text) == true, "\(error as Any)")
        #expect(error?.description.contains("s3cret") == false && error?.exitStatus == 69)
    }

    @Test("Secret values and the lines of a secret document are masked")
    func secrets() async throws {
        let good = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"a\": \"s3cret\"}")
        #expect(
            try await HTTPPropertyLoader(url: good.url, isSecret: true).values == ["a = ******** (\(good.url):1:7)"])
        let bad = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"a\": \"s3cret\",")
        let error = try #require(await failure(of: HTTPPropertyLoader(url: bad.url, isSecret: true)))
        #expect(!error.longDescription.contains("s3cret") && error.origin.column == 1, "\(error.longDescription)")
    }

    @Test("A load that is cancelled ends at once")
    func cancelled() async throws {
        let bound = try boundSocket()
        listen(bound.socket, 1)
        defer { close(bound.socket) }
        let loader = HTTPPropertyLoader(
            url: URL(string: "http://127.0.0.1:\(bound.port)/a.json")!, timeout: .seconds(1000))
        let task = Task { try await loader.load() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Two loaders that share a document are told apart by their query and part, and watchers share a loader")
    func identities() async throws {
        let server = try await #require(
            NginxServer.program != nil ? NginxServer(["a.json": "{\"x\": {\"y\": 1}}"]) : nil)
        func loader(_ query: String, _ part: String) -> HTTPPropertyLoader {
            HTTPPropertyLoader(
                url: URL(string: "\(server.url)/a.json\(query)")!, part: part, interval: .milliseconds(20))
        }
        let store = PropertyStore()
        for loader in [loader("?dc=a", ""), loader("?dc=b", ""), loader("?dc=b", "x"), loader("?dc=b", "x")] {
            try await store.apply(awaiting: [loader])
        }
        #expect(store.status.sources.count == 3)

        let shared = loader("", ""), containers = [Container(), Container()]
        for container in containers { try await container.start([shared]) }
        try await containers[0].watching { _ in
            try await containers[1].watching { _ in
                for value in 2...20 {
                    try server.write("{\"x\": {\"y\": \(value)}}", to: "a.json")
                    for container in containers { await container.wait(for: "x.y", value) }
                }
            }
        }
    }
}
