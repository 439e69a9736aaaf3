import Container
import Foundation
import HTTPPropertyLoader
import TestSupport
import Testing

@Suite("nginx", .enabled(if: NginxServer.program != nil), .timeLimit(.minutes(30)))
struct NginxTests {
    private let container = Container()

    private func loader(_ server: NginxServer, _ path: String = "settings.json") -> HTTPPropertyLoader {
        HTTPPropertyLoader(
            url: URL(string: "\(server.url)/\(path)")!, interval: .milliseconds(20), timeout: .seconds(2))
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
        #expect(try await loader(server, "a.plist").values == ["port = 4 (\(address)/a.plist:1:43)"])
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
                "\(address):1:10: 'port' is the string \"x\";", "\(address):1:11: a comma follows the last value;",
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
            HTTPPropertyLoader(url: URL(string: url)!, headers: { ["Authorization": "Basic \(header)\n"] }),
            HTTPPropertyLoader(url: URL(string: "http://shop:hunter2@\(authority)/settings.json?token=s3cret#part")!),
        ]
        for loader in loaders {
            var text = ""
            dump(loader, to: &text)
            text += try await loader.values.joined()
            #expect(text.contains("port = 1 (\(url):1:10)") && loader.description == url)
            #expect(!["hunter2", header, "s3cret"].contains { text.contains($0) }, "\(text)")
        }
        let wrong = HTTPPropertyLoader(url: URL(string: "http://shop:hunter3@\(authority)/settings.json?token=s3cret")!)
        #expect(
            await failure(of: wrong)?.description
                == "\(url): the server refuses access (401). Check the `headers` of the "
                + "loader, and what they allow.")
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
        func loader(_ path: String) -> HTTPPropertyLoader {
            HTTPPropertyLoader(
                url: URL(string: "\(server.url)/\(path)")!, headers: { ["Authorization": "Bearer s3cret"] },
                format: .json)
        }
        #expect(try await loader("same").values == ["port = 1 (\(server.url)/same:1:10)"])
        let expected =
            "; expected at most 5 redirects, to the same scheme, host and port. Correct the URL of the loader."
        #expect(
            await failure(of: loader("loop"))?.description
                == "\(server.url)/loop: the server redirects to \(server.url)\(expected)")
        #expect(
            await failure(of: loader("other"))?.description
                == "\(server.url)/other: the server redirects to \(other.url)\(expected)")
        #expect(await failure(of: loader("file")) != nil)
        #expect(other.requests.isEmpty && server.requests.contains("200 /settings.json Bearer s3cret"))
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
        let slow = HTTPPropertyLoader(url: URL(string: "\(server.url)/slow.toml")!, timeout: .milliseconds(300))
        let start = ContinuousClock.now
        #expect(
            await failure(of: slow)?.description
                == "\(server.url)/slow.toml: the server did not answer completely within 0.3 seconds")
        #expect(.now - start < .seconds(20))
        let cut = HTTPPropertyLoader(url: URL(string: "\(server.url)/slow.toml")!, timeout: .seconds(60))
        let load = Task { await failure(of: cut) }
        try await Task.sleep(for: .milliseconds(200))
        try await server.kill()
        #expect(await load.value?.reason == .unavailable)
    }

    @Test("The memory for 1 GB, also compressed, and for 40,000 headers is bounded")
    func sizes() async throws {
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
        for name in ["huge.json", "compressed.json", "headers.json"] {
            let run = try await HTTPServiceRun("\(server.url)/\(name)")
            print("nginx: \(name) needs \(run.number) KB: \(run.output)")
            #expect(run.output.hasPrefix("\(server.url)/\(name): the "), "\(run.output)")
            // The limit is 1 MB.
            #expect(run.number < 33 << 10)
        }
    }

    @Test("TLS is verified by the authorities of the system", .enabled(if: HTTPServiceRun.canSetAuthority))
    func tls() async throws {
        let server = try await NginxServer(
            ["settings.json": "{\"port\": 1}"], locations: "location /down.json { return 302 http://localhost/; }",
            isSecure: true)
        let authority = server.folder.appending(path: "ca.pem").path
        let url = "\(server.secureURL)/settings.json"
        #expect(try await HTTPServiceRun(url, authority: authority).output == "port = 1 (\(url):1:10)")
        let refused = try await HTTPServiceRun(url).output
        #expect(
            refused.hasPrefix("\(url): the request has failed: ") && refused.contains("certificate"), "\(refused)"
        )
        let address = url.replacing("localhost", with: "127.0.0.1")
        #expect(try await HTTPServiceRun(address, authority: authority).output.contains("the request has failed: "))
        let down = try await HTTPServiceRun("\(server.secureURL)/down.json", authority: authority).output
        #expect(down.contains("the server redirects to http://localhost:80;"))
    }

    @Test("300 loads leave no open file behind")
    func sessions() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"])
        // The system closes the connections of a few sessions later.
        #expect(try await HTTPServiceRun("\(server.url)/settings.json", loads: 300).number < 50)
    }
}
