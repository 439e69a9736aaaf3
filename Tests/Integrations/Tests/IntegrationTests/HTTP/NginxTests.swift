import AsyncHTTPClient
import Container
import Foundation
import PropertyLoaders
import Testing

@Suite("nginx", .enabled(if: Neighbour.isThere("nginx")), .timeLimit(.minutes(10)))
struct NginxTests {
    private let container = Container()

    private func loader(_ server: NginxServer, _ path: String = "settings.json") -> HttpPropertyLoader {
        HttpPropertyLoader(
            url: URL(string: "\(server.url)/\(path)")!, exchange: client.exchange, interval: .milliseconds(20),
            timeout: .seconds(60))
    }

    @Test("Each format is read with its places, by the extension or by the type of the answer")
    func formats() async throws {
        let plist = "<plist version=\"1.0\"><dict><key>port</key><integer>4</integer></dict></plist>"
        let server = try await NginxServer(
            [
                "a.json": "{\n  \"port\": 1 // a comment\n}", "a.toml": "port = 2", "a.env": "PORT=3", "a.plist": plist,
                "b": "port = 5",
            ],
            locations: "location /b { default_type application/toml; }")
        let address = server.url
        #expect(try await loader(server, "a.json").values == ["port = 1 (\(address)/a.json:2:11)"])
        #expect(try await loader(server, "a.toml").values == ["port = 2 (\(address)/a.toml:1:8)"])
        #expect(try await loader(server, "a.env").values == ["port = \"3\" (\(address)/a.env:1:6)"])
        let list = HttpPropertyLoader(
            url: URL(string: "\(address)/a.plist")!, exchange: client.exchange, format: .propertyList)
        #expect(try await list.values == ["port = 4 (\(address)/a.plist:1:43)"])
        #expect(try await loader(server, "b").values == ["port = 5 (\(address)/b:1:8)"])
    }

    @Test("A document that has not changed is not sent again; a change is published, and a wrong one is refused")
    func conditional() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"])
        // nginx makes its entity tags of the second of the change.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)],
            ofItemAtPath: server.folder.appending(path: "root/settings.json").path)
        container.properties.declare(TypedKey<Int>("port", default: 0))
        try await container.start([loader(server)])
        try await container.watching { failures in
            try await wait { server.requests.count > 5 }
            #expect(server.requests.prefix(5).map { $0.prefix(3) } == ["200", "304", "304", "304", "304"])
            try server.write("{\"port\": 22}", to: "settings.json")
            await container.wait(for: "port", 22)
            try server.write("{\"port\": \"x\"}", to: "settings.json")
            try await wait { failures.all.count == 1 }
            try server.write("{\"port\": 4,}x", to: "settings.json")
            try await wait { failures.all.count == 2 }
            try server.write("{}", to: "settings.json")
            try await wait { failures.all.count == 3 }
            #expect(container.property("port") == 22)
            try server.write("{\"port\": 5}", to: "settings.json")
            await container.wait(for: "port", 5)
            let address = "\(server.url)/settings.json"
            let places = [
                "\(address):1:10: 'port' is the string \"x\";", "\(address):1:13: the document has ended,",
            ]
            #expect(zip(failures.all, places).allSatisfy { $0.hasPrefix($1) }, "\(failures.all)")
            #expect(
                failures.all.last
                    == "\(address): the document has no properties any more. If that is intended, restart the service.")
        }
    }

    @Test("Basic authentication works by a header and by the URL, and neither appears in any text")
    func authentication() async throws {
        let server = try await NginxServer(
            ["settings.json": "{\"port\": 1}"], locations: "auth_basic shop; auth_basic_user_file users;")
        try Data("shop:{PLAIN}hunter2".utf8).write(to: server.folder.appending(path: "users"))
        let url = "\(server.url)/settings.json"
        let header = Data("shop:hunter2".utf8).base64EncodedString()
        let authority = server.url.dropFirst(7)
        let loaders = [
            HttpPropertyLoader(
                url: URL(string: url)!, exchange: client.exchange, headers: { ["Authorization": "Basic \(header)\n"] }),
            HttpPropertyLoader(
                url: URL(string: "http://shop:hunter2@\(authority)/settings.json?token=s3cret#part")!,
                exchange: client.exchange),
        ]
        for loader in loaders {
            var text = ""
            dump(loader, to: &text)
            text += try await loader.values.joined()
            #expect(text.contains("port = 1 (\(url):1:10)") && loader.description == url)
            #expect(!["hunter2", header, "s3cret"].contains { text.contains($0) }, "\(text)")
        }
        let wrong = HttpPropertyLoader(
            url: URL(string: "http://shop:hunter3@\(authority)/settings.json?token=s3cret")!,
            exchange: client.exchange)
        #expect(
            await failure(of: wrong)?.description
                == "\(url): the server refuses access (401). Check the credentials of this service, and their "
                + "permissions.")
    }

    @Test("Each status has its reason and its remedy")
    func statuses() async throws {
        let statuses = [204, 400, 403, 404, 429, 500, 503]
        let server = try await NginxServer(
            locations: statuses.map { "location /\($0) { return \($0); }" }.joined())
        var errors: [PropertyLoadError] = []
        for status in statuses {
            errors.append(try #require(await failure(of: loader(server, "\(status)?token=s3cret"))))
        }
        #expect(
            errors.map(\.problem) == [
                "the server answers with the status 204", "the server answers with the status 400",
                "the server refuses access (403)", "the server has no such document (404)",
                "the server answers with the status 429", "the server answers with the status 500",
                "the server answers with the status 503",
            ])
        #expect(
            errors.map(\.reason) == [
                .unreadable, .unreadable, .unreadable, .notFound, .unavailable, .unavailable, .unavailable,
            ])
        #expect(errors[3].description == "\(server.url)/404: the server has no such document (404). Check the URL.")
    }

    @Test("A redirect is followed to the same scheme, host and port only, and no other server gets a credential")
    func redirects() async throws {
        let other = try await NginxServer(["settings.json": "{\"port\": 2}"])
        let server = try await NginxServer(
            ["settings.json": "{\"port\": 1}"],
            locations: """
                location /same { return 302 /settings.json; }
                location /loop { return 302 /loop; }
                location /other { return 307 \(other.url)/settings.json?token=s3cret; }
                location /file { return 302 file:///etc/passwd; }
                """)
        func loader(_ path: String) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: URL(string: "\(server.url)/\(path)")!, exchange: client.exchange,
                headers: { ["Authorization": "Bearer s3cret"] }, format: .json, timeout: .seconds(60))
        }
        #expect(try await loader("same").values == ["port = 1 (\(server.url)/same:1:10)"])
        let expected =
            "; expected at most 5 redirects, to the same scheme, host and port. Correct the URL."
        #expect(
            await failure(of: loader("loop"))?.description
                == "\(server.url)/loop: the server redirects to \(server.url)\(expected)")
        #expect(
            await failure(of: loader("other"))?.description
                == "\(server.url)/other: the server redirects to \(other.url)\(expected)")
        #expect(
            await failure(of: loader("file"))?.description
                == "\(server.url)/file: the server redirects to another server\(expected)")
        #expect(other.requests.isEmpty && server.requests.contains("200 /settings.json Bearer s3cret"))
    }

    @Test("A client that follows redirects itself gets no values of another server into a service")
    func followed() async throws {
        let other = try await NginxServer(["settings.json": "{\"port\": 2}"])
        let server = try await NginxServer(
            ["settings.json": "{\"port\": 1}"],
            locations: """
                location /same.json { return 302 /settings.json; }
                location /other.json { return 307 \(other.url)/settings.json?token=s3cret; }
                """)
        func loader(_ path: String) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: URL(string: "\(server.url)/\(path)")!, exchange: HTTPClient.shared.exchange,
                timeout: .seconds(60))
        }
        #expect(try await loader("same.json").values == ["port = 1 (\(server.url)/same.json:1:10)"])
        #expect(await failure(of: loader("other.json"))?.problem == "the server redirects to \(other.url)")
    }

    @Test("While nginx is killed, its last values stay; after its restart, a change is published")
    func restart() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"])
        try await container.start([loader(server)])
        try await container.watching { failures in
            for value in 2...4 {
                try await server.kill()
                try await wait { container.properties.status.sources.first?.failure != nil }
                #expect(container.property("port") == value - 1)
                let source = try #require(container.properties.status.sources.first)
                #expect(try #require(source.failure).since > #require(source.confirmed))
                try container.properties.reload()
                #expect(container.properties.status.sources.first?.confirmed == source.confirmed)
                try server.write("{\"port\": \(value)}", to: "settings.json")
                try await server.start()
                await container.wait(for: "port", value)
                #expect(container.properties.status.sources.first?.failure == nil)
            }
            #expect(
                !failures.all.isEmpty
                    && failures.all.allSatisfy {
                        $0.hasPrefix("\(server.url)/settings.json: the request has failed: ")
                    })
        }
        try await server.kill()
        let error = await #expect(throws: ConfigurationErrors.self) { try await Container().start([loader(server)]) }
        #expect(error?.exitStatus == 69)
    }

    @Test("A body that drips, and one that is cut off, end with an error and not with a part of the values")
    func incomplete() async throws {
        let server = try await NginxServer(
            ["slow.toml": "a = 1\n" + String(repeating: "#", count: 10_000)],
            locations: "location /slow.toml { limit_rate_after 1k; limit_rate 100; }")
        let url = URL(string: "\(server.url)/slow.toml")!
        // The client has the same limit. If it is the first to notice, the loader's own limit still decides.
        let patient: HttpPropertyLoader.Exchange = { request in
            do {
                return try await client.exchange(request)
            } catch {
                try await Task.sleep(for: .seconds(3600))
                throw error
            }
        }
        let slow = HttpPropertyLoader(url: url, exchange: patient, timeout: .milliseconds(300))
        #expect(
            await failure(of: slow)?.description
                == "\(server.url)/slow.toml: the server did not answer completely within 0.3 seconds")
        let cut = HttpPropertyLoader(url: url, exchange: client.exchange, timeout: .seconds(60))
        let load = Task { await failure(of: cut) }
        try await Task.sleep(for: .milliseconds(200))
        try await server.kill()
        #expect(await load.value?.reason == .unavailable)
    }

    @Test(
        "The memory for 1 GB, also compressed, and for 40,000 headers is bounded",
        arguments: [
            ("huge.json", "the document is too large"), ("compressed.json", "the document is too large"),
            ("headers.json", "the request has failed: too many header bytes seen; overflow detected"),
        ])
    func sizes(name: String, problem: String) async throws {
        let headers = (0..<40_000).map { "add_header X-\($0) \"some value\";" }.joined(separator: "\n")
        let server = try await NginxServer(
            ["huge.json": "{\"a\": \""],
            locations: """
                location /compressed.json { gzip on; gzip_types *; rewrite .* /huge.json break; }
                location /headers.json { \(headers) return 200 "{}"; }
                """)
        let huge = server.folder.appending(path: "root/huge.json")
        let file = try FileHandle(forWritingTo: huge)
        try file.truncate(atOffset: 1 << 30)
        try file.close()
        let url = "\(server.url)/\(name)"
        await #expect(processExitsWith: .success) { [url = url as String, problem = problem as String] in
            let loader = HttpPropertyLoader(
                url: URL(string: url)!, exchange: decompressingClient.exchange, headers: { ["Accept-Encoding": "gzip"] }
            )
            // A first request, so that libraries and threads are not counted.
            _ = try? await HttpPropertyLoader(
                url: URL(string: "http://127.0.0.1:1/")!, exchange: decompressingClient.exchange
            ).load()
            let before = try kilobytes("VmRSS")
            let error = await failure(of: loader)
            #expect(error?.problem == problem)
            // The limit is 1 MB.
            #expect(try kilobytes("VmHWM") - before < 33 << 10)
        }
    }

    @Test("A compressed document is read by a client that decompresses, and refused with another one")
    func compressed() async throws {
        let text = "{\"a\": \"\(String(repeating: "b", count: 5000))\"}"
        let server = try await NginxServer(["a.json": text], locations: "gzip on; gzip_types *;")
        func loader(_ client: HTTPClient) -> HttpPropertyLoader {
            HttpPropertyLoader(
                url: URL(string: "\(server.url)/a.json")!, exchange: client.exchange,
                headers: { ["Accept-Encoding": "gzip"] }, timeout: .seconds(60))
        }
        #expect(try await loader(decompressingClient).values.count == 1)
        #expect(
            await failure(of: loader(client))?.problem
                == "the answer is compressed, and the HTTP client of this service does not decompress it")
    }

    @Test("TLS is verified by the authorities of the client", .enabled(if: Neighbour.isThere("openssl")))
    func tls() async throws {
        let server = try await NginxServer(
            ["settings.json": "{\"port\": 1}"], locations: "location /down.json { return 302 http://localhost/; }",
            isSecure: true)
        let trusting = trusting(server.folder.appending(path: "ca.pem"))
        func loader(_ url: String, _ client: HTTPClient) -> HttpPropertyLoader {
            HttpPropertyLoader(url: URL(string: url)!, exchange: client.exchange, timeout: .seconds(60))
        }
        let url = "\(server.secureURL)/settings.json"
        #expect(try await loader(url, trusting).values == ["port = 1 (\(url):1:10)"])
        for (url, client) in [(url, client), (url.replacing("localhost", with: "127.0.0.1"), trusting)] {
            let refused = try #require(await failure(of: loader(url, client)))
            #expect(
                refused.problem.hasPrefix("the request has failed: ") && refused.reason == .unavailable, "\(refused)")
            #expect(refused.problem.lowercased().contains("certificate"), "\(refused)")
        }
        let down = try #require(await failure(of: loader("\(server.secureURL)/down.json", trusting)))
        #expect(down.problem == "the server redirects to http://localhost:80")
        try await trusting.shutdown()
    }

    private func trusting(_ authority: URL) -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.trustRoots = .file(authority.path)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    @Test("300 loads leave no open file behind")
    func descriptors() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"])
        let url = "\(server.url)/settings.json"
        await #expect(processExitsWith: .success) { [url = url as String] in
            let loader = HttpPropertyLoader(
                url: URL(string: url)!, exchange: client.exchange, timeout: .seconds(60))
            var counts: [Int] = []
            for _ in 0..<300 {
                _ = try await loader.load()
                counts.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
            }
            #expect(counts[299] - counts[0] < 10)
        }
    }
}

private let decompressingClient = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    // Without it, the client tries for five seconds to reach a port where nobody listens.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.decompression = .enabled(limit: .none)
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
}()

/// Returns a number of KB from the status of this process.
private func kilobytes(_ name: String) throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("\(name):") }?.split { $0 == " " || $0 == "\t" } ?? []
    return try #require(words.count > 1 ? Int(words[1]) : nil)
}
