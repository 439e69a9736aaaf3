import Container
import Logging
import PropertyLoaders
import ServiceLifecycle
import Testing

// The module `Container` has no type `Service`, so a file that imports both modules can write it.
private struct Named: Service {
    let container: Container
    let watcher: PropertyWatcher

    func run() async throws { try await watcher.run(until: gracefulShutdown) }
}

@Suite("ServiceLifecycle", .timeLimit(.minutes(60)))
struct ServiceLifecycleTests {
    @Test("SIGTERM ends the watcher, closes the container, and stops the process in the time that it has")
    func signal() async throws {
        let child = try Child("LifecycleSample", ["config.toml"], files: ["config.toml": "db.name = \"orders\""])
        try await child.waitForOutput("ready")
        try child.write("db.name = \"customers\"", to: "config.toml")
        try await child.waitForOutput("db.name changed")
        #expect(try await child.terminate() == 0)
        #expect(
            try child.output.split(separator: "\n") == [
                "orders open", "ready", "db.name changed", "no more changes", "orders closed", "stopped",
            ])
        #expect(try child.errors == "")
    }

    @Test("A signal right after the start ends it, too")
    func earlySignal() async throws {
        for _ in 0..<10 {
            let child = try Child("LifecycleSample", ["config.toml"], files: ["config.toml": "db.name = \"orders\""])
            try await child.waitForOutput("ready")
            #expect(try await child.terminate() == 0)
            #expect(try child.output.hasSuffix("orders closed\nstopped\n"))
        }
    }

    @Test("The names by which a group logs its services contain no setting")
    func names() throws {
        let container = Container()
        try container.applyPropertyLoader(TomlPropertyLoader(string: "a = \"value\"\nb = \"value\"", name: "c.toml"))
        let line = #line + 1
        container.register(String.self) { r in try r.require("a") }
        let service = Named(container: container, watcher: PropertyWatcher(container) { _ in })
        let name = ServiceGroupConfiguration.ServiceConfiguration(service: service).serviceName
        #expect(
            name == "Named(container: Container with 1 registration and 2 properties:\n"
                + "  String: graph, ServiceLifecycleTests.swift:\(line), watcher: PropertyWatcher of 0 files)")
    }
}
