import Container
import Foundation
import PropertyLoaders
import Testing

/// The examples of the articles, and answers in the shapes that the documents of the servers show.
@Suite("The articles on HTTP", .enabled(if: Neighbour.isThere("nginx")))
struct HTTPExamples {
    private let token = "s3cret"

    @Test("The example of the overview starts a service")
    func overview() async throws {
        let nginx = try await NginxServer(["shop.toml": "port = 1\nhost = \"a\"", "token": "s3cret\n"])
        let server = nginx.url, container = Container(), lastGood = nginx.folder.appending(path: "good")
        let tokenFile = nginx.folder.appending(path: "root/token"),
            file = nginx.folder.appending(path: "root/shop.toml")
        let remote = HttpPropertyLoader(
            url: URL(string: "\(server)/shop.toml")!, exchange: client.exchange,
            headers: { ["Authorization": "Bearer \(try String(contentsOf: tokenFile, encoding: .utf8))"] },
            lastGood: lastGood)
        try await container.start([TomlPropertyLoader(url: file), remote, EnvironmentPropertyLoader(prefix: "SHOP")])
        #expect(container.property("port") == 1 && nginx.requests == ["200 /shop.toml Bearer s3cret"])
    }

    @Test("The merged document of Spring Cloud Config is read")
    func spring() async throws {
        let nginx = try await NginxServer([
            "shop-production.json": #"{"server":{"port":8080},"db":{"hosts":["a","b"],"pool":{"size":5}}}"#
        ])
        let server = nginx.url
        let spring = HttpPropertyLoader(
            url: URL(string: "\(server)/shop-production.json")!, exchange: client.exchange)
        let store = PropertyStore()
        try await store.apply(awaiting: [spring])
        #expect(store.property("server.port") == 8080 && store.property("db.pool.size") == 5)
        #expect(store.property("db.hosts") == ["a", "b"])
    }

    @Test("The raw value of a key of Consul is read")
    func consul() async throws {
        let nginx = try await NginxServer(
            ["config": "[db]\nhost = \"db.example.com\"\n"],
            locations: """
                location /v1/kv/shop/ { alias root/; default_type application/octet-stream; etag off;
                    add_header X-Consul-Index 42; add_header Vary Accept-Encoding; }
                """)
        let server = nginx.url, token = token
        let consul = HttpPropertyLoader(
            url: URL(string: "\(server)/v1/kv/shop/config?raw")!, exchange: client.exchange,
            headers: { ["X-Consul-Token": token] }, format: .toml)
        #expect(
            try await consul.values == ["db.host = \"db.example.com\" (\(server)/v1/kv/shop/config:2:8)"])
    }

    @Test("The secrets of Vault's KV engine are read")
    func vault() async throws {
        let answer = #"""
            {"request_id":"963c1f3d","lease_id":"","renewable":false,"lease_duration":0,"data":{"data":
            {"password":"hunter2"},"metadata":{"created_time":"2026-11-24T18:00:00Z","custom_metadata":null,
            "deletion_time":"","destroyed":false,"version":2}},"wrap_info":null,"warnings":null,"auth":null}
            """#
        let nginx = try await NginxServer(
            ["shop": answer], locations: "location /v1/secret/data/ { alias root/; default_type application/json; }")
        let server = nginx.url, token = token
        let vault = HttpPropertyLoader(
            url: URL(string: "\(server)/v1/secret/data/shop")!, exchange: client.exchange,
            headers: { ["X-Vault-Token": token] }, format: .json, part: "data.data", isSecret: true)
        #expect(try await vault.values == ["password = ******** (\(server)/v1/secret/data/shop:2:13)"])
    }
}
