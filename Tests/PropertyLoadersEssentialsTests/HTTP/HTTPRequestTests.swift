import Foundation
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Requests for a document", .hangLimit)
struct HTTPRequestTests {
    @Test("The headers are made for each request, and the validators of the last answer are added")
    func headers() async throws {
        let document = ServedDocument("{\"a\": 1}"), count = Mutex(0)
        let loader = HttpPropertyLoader(
            url: documentURL, exchange: document.exchange,
            headers: {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return ["X-Token": " token\(number)\n"]
            }, timeout: patience)
        for _ in 0..<2 { _ = try await loader.load() }
        let headers = document.requests.map(\.headers)
        #expect(headers == [["X-Token": "token1"], ["X-Token": "token2", "If-None-Match": "\"1\""]])
        let request = try #require(document.requests.first)
        #expect(request.url == documentURL && request.bodyLimit == 1 << 20)
        #expect(request.timeout <= patience && request.timeout > patience / 2)
    }

    /// Dates of a change and of an answer, and whether the next request asks for changes since then.
    static let dates = [
        ("Tue, 24 Nov 2026 18:00:00 GMT", "Tue, 24 Nov 2026 18:00:00 GMT", false),
        ("Tue, 24 Nov 2026 18:00:00 GMT", "Tue, 24 Nov 2026 18:00:01 GMT", false),
        ("Tue, 24 Nov 2026 23:59:59 GMT", "Wed, 25 Nov 2026 00:00:00 GMT", false),
        ("Tue, 24 Nov 2026 18:00:00 GMT", "Tue, 24 Nov 2026 18:00:02 GMT", true),
        ("Mon, 23 Nov 2026 17:00:00 GMT", "Tue, 24 Nov 2026 18:00:00 GMT", true),
        ("yesterday", "Tue, 24 Nov 2026 18:00:00 GMT", true),
        ("Tue, 24 Nov 2026 99:00:00 GMT", "Tue, 24 Nov 2026 18:00:00 GMT", true),
    ]

    @Test("A document that was changed in the second of the answer is sent again", arguments: dates)
    func validators(modified: String, now: String, areUsed: Bool) async throws {
        let requests = Mutex<[[String: String]]>([])
        let loader = HttpPropertyLoader(
            url: documentURL,
            exchange: { request in
                requests.withLock { $0.append(request.headers) }
                return Answer(
                    200, "{}".utf8, headers: ["Last-Modified": modified, "date": now, "etag": "W/\"1\""])
            }, timeout: patience)
        for _ in 0..<2 { _ = try await loader.load() }
        let validators = ["If-Modified-Since": modified, "If-None-Match": "W/\"1\""]
        #expect(requests.withLock { $0 } == [[:], areUsed ? validators : [:]])
    }

    @Test("The user and the password of the URL are sent as basic authentication, and no text has them")
    func authentication() async throws {
        let document = ServedDocument("{\"a\": 1}")
        func loader(_ headers: [String: String] = [:]) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: URL(string: "https://shop:hunter2@config.example.com/settings.json?token=s3cret#part")!,
                exchange: document.exchange, headers: { headers }, timeout: patience)
        }
        var text = try await loader().listing.joined()
        dump(loader(), to: &text)
        #expect(text.contains("a=1 (\(documentURL):1:7)") && loader().description == "\(documentURL)")
        #expect(!["hunter2", "s3cret", "shop"].contains { text.contains($0) }, "\(text)")
        _ = try await loader(["authorization": "Bearer s3cret"]).load()
        let credential = Data("shop:hunter2".utf8).base64EncodedString()
        #expect(
            document.requests.map(\.headers)
                == [["Authorization": "Basic \(credential)"], ["authorization": "Bearer s3cret"]])
        #expect(document.requests.allSatisfy { "\($0.url)" == "\(documentURL)?token=s3cret" })
    }

    @Test("An error of the exchange is an outage, and what is secret in it is masked")
    func failures() async throws {
        let loader = HttpPropertyLoader(
            url: URL(string: "\(documentURL)?token=s3cret&dc=a")!,
            exchange: { request in throw Refused(description: "no route to \(request.url) with \(request.headers)") },
            headers: { ["X-Token": "hunter2"] }, timeout: patience)
        let error = try #require(await failure(of: loader))
        #expect(
            error.description
                == "\(documentURL): the request has failed: no route to \(documentURL)?******** with "
                + "[\"X-Token\": \"********\"]")
        #expect(error.reason == .unavailable)
    }

    @Test("What is secret in an error of the exchange is masked in every spelling, also without the scheme of a header")
    func spelledFailures() async throws {
        let url = try #require(URL(string: "https://shop:hunter%2F2@config.example.com/a?token=s3%2Fcret&t0ken"))
        let start = "https://config.example.com/a: the request has failed: "
        let credential = Data("shop:hunter/2".utf8).base64EncodedString()
        let secrets = [
            "token=s3%2Fcret&t0ken", "s3%2Fcret", "s3/cret", "hunter%2F2", "hunter/2", "t0ken", credential,
            "Basic \(credential)",
        ]
        for secret in secrets {
            let error = await failure(of: Self.loader(url, failing: "<\(secret)>"))
            #expect(error?.description == "\(start)<********>", "\(secret)")
        }
        let headers = ["Authorization": "Bearer  b3arer", "X-Token": "x t0k3n"]
        for secret in ["b3arer", "Bearer  b3arer", "t0k3n", "x t0k3n"] {
            let error = await failure(of: Self.loader(url, failing: "<\(secret)>", headers))
            #expect(error?.description == "\(start)<********>", "\(secret)")
        }
    }

    /// A loader whose exchange throws an error with a description.
    private static func loader(
        _ url: URL, failing description: String, _ headers: [String: String] = [:]
    ) -> HttpPropertyLoader {
        HttpPropertyLoader(
            url: url, exchange: { _ in throw Refused(description: description) }, headers: { headers },
            timeout: patience)
    }

    private struct Refused: Error, CustomStringConvertible { let description: String }

    @Test("A document with a new entity tag and the same text is asked for by the new tag")
    func newTag() async throws {
        let document = ServedDocument("{\"a\": 1}")
        let loader = HttpPropertyLoader(url: documentURL, exchange: document.exchange, timeout: patience)
        _ = try await loader.load()
        document.set("{\"a\": 1}")
        for _ in 0..<2 { _ = try await loader.load() }
        #expect(document.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"2\""])
    }

    @Test("A loader keeps neither itself nor its exchange alive, also when its values were in force")
    func released() async throws {
        var document: ServedDocument? = ServedDocument("{\"a\": 1}")
        weak let weakly = document
        do {
            let exchange = try #require(document).exchange
            let loader = HttpPropertyLoader(url: documentURL, exchange: exchange, timeout: patience)
            let store = PropertyStore()
            try await store.apply(awaiting: [loader], timeout: patience)
            #expect(store.property("a") == 1)
        }
        document = nil
        #expect(weakly == nil)
    }

    @Test("Headers that cannot be made say which source needs them, and a header of two lines is refused")
    func wrongHeaders() async throws {
        let document = ServedDocument("{}")
        let missing = HttpPropertyLoader(
            url: URL(string: "\(documentURL)?token=s3cret")!, exchange: document.exchange,
            headers: { ["X-Token": try String(contentsOfFile: "/none/token", encoding: .utf8)] })
        let error = try #require(await failure(of: missing))
        #expect(error.description.hasPrefix("\(documentURL): the headers cannot be made: /none/token: "), "\(error)")
        #expect(!error.description.contains("s3cret") && error.reason == .unavailable)
        let broken = HttpPropertyLoader(
            url: documentURL, exchange: document.exchange, headers: { ["X-Token": "a\r\nHost: b"] })
        #expect(
            await failure(of: broken)?.description
                == "\(documentURL): the header 'X-Token' has a control character; expected a name and one line of text")
        #expect(document.requests.isEmpty)
    }

    @Test("An exchange that ignores its cancellation and the time limit keeps nobody waiting")
    func late() async throws {
        let door = Door()
        defer { door.open() }
        func loader(_ timeout: Duration) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: documentURL,
                exchange: { _ in
                    await door.pass()
                    return Answer(500, [])
                }, timeout: timeout)
        }
        let error = try #require(await failure(of: loader(.milliseconds(300))))
        #expect(error.description == "\(documentURL): the server did not answer completely within 0.3 seconds")
        #expect(error.reason == .unavailable)
        let task = Task { try await loader(.seconds(100_000)).load() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Headers that are never made are an outage after the time limit, and the next load makes them again")
    func hangingHeaders() async throws {
        let document = ServedDocument("{\"a\": 1}"), door = Door(), isStuck = Mutex(true)
        defer { door.open() }
        func loader(_ timeout: Duration) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: documentURL, exchange: document.exchange,
                headers: {
                    if isStuck.withLock({ $0 }) { await door.pass() }
                    return [:]
                }, timeout: timeout)
        }
        let late = loader(.milliseconds(10))
        let error = try #require(await failure(of: late))
        #expect(error.description == "\(documentURL): the headers were not made within 0.01 seconds")
        #expect(error.reason == .unavailable && document.requests.isEmpty)
        let patient = loader(patience)
        let task = Task { try await patient.load() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        isStuck.withLock { $0 = false }
        #expect(try await patient.listing.count == 1)
    }

    /// Validators of an answer with a control character, which are not sent back.
    static let brokenValidators = [
        "\"1\"\r\nX-Admin: true", "\"1\"\nX-Admin: true", "\"\u{0}\"", "\"\u{7F}\"", "\"\u{85}\"", "\"a\tb\"",
    ]

    @Test("An entity tag or a date with a control character is not sent back", arguments: brokenValidators)
    func controlCharacters(value: String) async throws {
        let requests = Mutex<[[String: String]]>([])
        for name in ["ETag", "Last-Modified"] {
            let loader = HttpPropertyLoader(
                url: documentURL,
                exchange: { request in
                    requests.withLock { $0.append(request.headers) }
                    return Answer(200, "{}".utf8, headers: [name: value])
                }, timeout: patience)
            for _ in 0..<2 { _ = try await loader.load() }
        }
        #expect(requests.withLock { $0 } == [[:], [:], [:], [:]])
    }

    @Test(
        "No request has the user, the password or the fragment of a redirect, and no message what is secret in its query"
    )
    func redirectedUser() async throws {
        let server = "https://config.example.com"
        let targets = [
            "https://eve:hunter2@config.example.com/new?sig=s3cret",
            "//eve:hunter2@config.example.com/new?sig=s3cret#top",
            "https://eve@config.example.com:443/new?sig=s3cret", "https://:hunter2@config.example.com/new?sig=s3cret",
            "/new?sig=s3cret", "new?sig=s3cret",
        ]
        for target in targets {
            let urls = Mutex<[String]>([])
            let loader = HttpPropertyLoader(
                url: documentURL,
                exchange: { request in
                    urls.withLock { $0.append("\(request.url)") }
                    guard request.url.path == "/new" else { return Answer(302, [], headers: ["Location": target]) }
                    throw Refused(description: "no route to \(request.url)")
                }, timeout: patience)
            let text = try #require(await failure(of: loader)).description
            let port = target.contains(":443") ? ":443" : ""
            #expect(urls.withLock { $0 } == ["\(documentURL)", "\(server)\(port)/new?sig=s3cret"])
            #expect(text == "\(documentURL): the request has failed: no route to \(server)\(port)/new?********")
        }
    }

    @Test("No request is sent when no time is left for its answer")
    func noTime() async throws {
        let document = ServedDocument("{}")
        let loader = HttpPropertyLoader(url: documentURL, exchange: document.exchange, timeout: .zero)
        let error = await #expect(throws: PropertyLoadError.self) { try await loader.load() }
        #expect(error?.reason == .unavailable)
        #expect(document.requests.allSatisfy { $0.timeout > .zero })
    }

    @Test("A redirect is followed to the same scheme, host and port only, and no other server gets a credential")
    func redirects() async throws {
        let targets = [
            "/same": "/settings.json", "/whole": "HTTPS://Config.Example.com:443/settings.json", "/loop": "/loop",
            "/host": "https://example.com/settings.json", "/port": "//config.example.com:8443/",
            "/file": "file:///etc/passwd",
            "/down": "http://config.example.com/settings.json", "/bad": "https://[",
        ]
        let requests = Mutex<[String]>([])
        func loader(_ path: String) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: URL(string: path, relativeTo: documentURL)!,
                exchange: { request in
                    requests.withLock { $0.append("\(request.url) \(request.headers["X-Token"] ?? "")") }
                    guard let target = targets[request.url.path] else { return Answer(200, "{\"a\": 1}".utf8) }
                    return Answer(307, [], headers: ["Location": target])
                }, headers: { ["X-Token": "t"] }, format: .json, timeout: patience)
        }
        let server = "https://config.example.com"
        #expect(try await loader("/same").listing == ["a=1 (\(server)/same:1:7)"])
        #expect(try await loader("/whole").listing.count == 1)
        #expect(requests.withLock { $0 }.first { $0.contains("settings") } == "\(documentURL) t")
        let ends = [
            "/loop": "https://config.example.com:443", "/host": "https://example.com:443",
            "/port": "https://config.example.com:8443", "/file": "another server",
            "/down": "http://config.example.com:80", "/bad": "another server",
        ]
        for (path, end) in ends.sorted(by: { $0.key < $1.key }) {
            requests.withLock { $0 = [] }
            let text = await failure(of: loader(path))?.description
            #expect(
                text == "\(server)\(path): the server redirects to \(end); expected at most 5 redirects, to the same "
                    + "scheme, host and port. Correct the URL.")
            #expect(requests.withLock { $0.count } == (path == "/loop" ? 6 : 1))
        }
    }

    @Test("An answer of another server is refused if the client has followed a redirect")
    func followed() async throws {
        func loader(_ url: String) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: documentURL,
                exchange: { _ in
                    Answer(
                        status: 200, headers: [("content-length", "8")], body: Array("{\"a\": 1}".utf8),
                        url: URL(string: url))
                }, timeout: patience)
        }
        #expect(try await loader("https://config.example.com/other").listing.count == 1)
        #expect(
            await failure(of: loader("https://example.com/settings.json"))?.problem
                == "the server redirects to https://example.com:443")
    }

    @Test("Loaders of one document are told apart by their query and part")
    func identities() async throws {
        let document = ServedDocument("{\"x\": {\"y\": 1}}")
        func loader(_ query: String, _ part: String) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: URL(string: "\(documentURL)\(query)")!, exchange: document.exchange, part: part, timeout: patience)
        }
        let store = PropertyStore()
        for loader in [loader("?dc=a", ""), loader("?dc=b", ""), loader("?dc=b", "x"), loader("?dc=b", "x")] {
            try await store.apply(awaiting: [loader], timeout: patience)
        }
        #expect(store.status.sources.count == 3)
    }
}
