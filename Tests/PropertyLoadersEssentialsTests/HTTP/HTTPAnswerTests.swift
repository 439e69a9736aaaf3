import Foundation
import PropertyLoadersEssentials
import Testing

@Suite("Answers to a request for a document")
struct HTTPAnswerTests {
    @Test("Each format is read with its places, by the extension of the URL or by the type of the answer")
    func formats() async throws {
        let server = "https://config.example.com"
        func listing(_ name: String, _ text: String, type: String? = nil) async throws -> [String] {
            let answer = Answer(200, text.utf8, headers: type.map { ["Content-Type": $0] } ?? [:])
            return try await HttpPropertyLoader(answer, url: URL(string: "\(server)/\(name)")!).listing
        }
        #expect(try await listing("a.json", "{\n  \"port\": 1 // a comment\n}") == ["port=1 (\(server)/a.json:2:11)"])
        #expect(try await listing("a.toml", "port = 2") == ["port=2 (\(server)/a.toml:1:8)"])
        #expect(try await listing("a.env", "PORT=3") == ["port=\"3\" (\(server)/a.env:1:6)"])
        #expect(
            try await listing("b", "port = 5", type: "application/toml; charset=utf-8") == ["port=5 (\(server)/b:1:8)"])
        #expect(
            try await listing("b", "{\"port\": 6}", type: "application/vnd.spring-cloud.config-server.v2+json")
                == ["port=6 (\(server)/b:1:10)"])
    }

    static let refused: [(answer: Answer, reason: PropertyLoadError.Reason, text: String)] = [
        (Answer(204, []), .unreadable, "the server answers with the status 204; expected 200"),
        (Answer(400, []), .unreadable, "the server answers with the status 400; expected 200"),
        (
            Answer(401, []), .unreadable,
            "the server refuses access (401). Check the credentials of this service, and their permissions."
        ),
        (
            Answer(403, []), .unreadable,
            "the server refuses access (403). Check the credentials of this service, and their permissions."
        ),
        (Answer(404, []), .notFound, "the server has no such document (404). Check the URL."),
        (Answer(410, []), .notFound, "the server has no such document (410). Check the URL."),
        (Answer(302, []), .unreadable, "the server answers with the status 302; expected 200"),
        (Answer(408, []), .unavailable, "the server answers with the status 408"),
        (Answer(429, []), .unavailable, "the server answers with the status 429"),
        (Answer(500, []), .unavailable, "the server answers with the status 500"),
        (Answer(503, []), .unavailable, "the server answers with the status 503"),
        (Answer(304, []), .unavailable, "the server says that nothing has changed"),
        (Answer(200, "{}".utf8, length: "3"), .unavailable, "the answer has 2 bytes, which is not its Content-Length"),
        (Answer(200, "{}".utf8, length: "x"), .unavailable, "the answer has 2 bytes, which is not its Content-Length"),
        (
            Answer(200, [0x1F, 0x8B, 8], headers: ["Content-Encoding": "gzip"]), .unreadable,
            "the answer is compressed, and the HTTP client of this service does not decompress it. Let the client "
                + "decompress answers, or the server send the document as it is."
        ),
        (
            Answer(200, repeatElement(32, count: (1 << 20) + 1)), .limit,
            "the document is too large; expected at most 1048576 bytes. Check the URL, or let the program accept a larger one."
        ),
    ]

    @Test("An answer without the document has a reason and a remedy", arguments: 0..<refused.count)
    func refusals(index: Int) async throws {
        let (answer, reason, text) = Self.refused[index]
        let error = try #require(await failure(of: HttpPropertyLoader(answer)))
        #expect(error.reason == reason && error.description == "\(documentURL): \(text)")
    }

    @Test("Without TLS, an answer must have a length or chunks, or else it may have been cut off")
    func completeness() async throws {
        let http = URL(string: "http://127.0.0.1/a.json")!
        let cut = Answer(200, "{\"a\": 1}".utf8, length: nil)
        #expect(
            await failure(of: HttpPropertyLoader(cut, url: http))?.problem
                == "the answer has neither a length nor chunks, so nobody can tell whether it is complete")
        #expect(try await HttpPropertyLoader(cut).listing.count == 1)
        let chunked = Answer(200, "{\"a\": 1}".utf8, headers: ["transfer-Encoding": "chunked"], length: nil)
        #expect(try await HttpPropertyLoader(chunked, url: http).listing.count == 1)
        let decompressed = Answer(200, "{\"a\": 1}".utf8, headers: ["content-encoding": "gzip"], length: "30")
        #expect(try await HttpPropertyLoader(decompressed).listing.count == 1)
    }

    @Test("A URL of another kind, a type without a format and a missing part say what to do")
    func mistakes() async throws {
        let answer = Answer(200, "{\"a\": {\"b\": 1}}".utf8, headers: ["Content-Type": "text/html"])
        #expect(
            await failure(of: HttpPropertyLoader(answer, url: URL(filePath: "/etc/a.json")))?.description
                == "file:///etc/a.json: this is not the URL of an HTTP server; expected http:// or https:// and a host")
        let typed = documentURL.deletingPathExtension()
        #expect(
            await failure(of: HttpPropertyLoader(answer, url: typed))?.description
                == "\(typed): the answer has the type 'text/html', which is none of the known formats. Let the server "
                + "send the type of the document, or let the program say its format.")
        #expect(
            await failure(of: HttpPropertyLoader(answer, part: "a.c"))?.description
                == "\(documentURL): the document has no table 'a.c'. Check the URL, and the document on the server.")
        #expect(try await HttpPropertyLoader(answer, part: "a").listing == ["b=1 (\(documentURL):1:13)"])
    }

    @Test("Secret values and the lines of a secret document are masked")
    func secrets() async throws {
        let good = HttpPropertyLoader(Answer(200, "{\"a\": \"s3cret\"}".utf8), isSecret: true)
        #expect(try await good.listing == ["a=******** (\(documentURL):1:7)"])
        let bad = HttpPropertyLoader(Answer(200, "{\"a\": \"s3cret\",".utf8), isSecret: true)
        let error = try #require(await failure(of: bad))
        #expect(!error.longDescription.contains("s3cret") && error.origin.column == 1, "\(error.longDescription)")
    }

    @Test("A format of your own gets the bytes, and the name for messages")
    func ownFormat() async throws {
        let format = HttpPropertyLoader.Format { body, name in
            PropertyLayer(PropertyTable([("text", .text("\(String(decoding: body, as: UTF8.self)) of \(name)"))]))
        }
        let loader = HttpPropertyLoader(Answer(200, "abc".utf8), format: format)
        #expect(try await loader.listing == ["text=\"abc of \(documentURL)\" (\(documentURL))"])
    }
}
