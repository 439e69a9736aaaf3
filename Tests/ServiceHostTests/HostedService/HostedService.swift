import Foundation
import ServiceHost

struct HostedSettings: Settings {
    @Setting("What the service says") var text = "Hello"
    @Setting("Where clients connect", in: 0...65535, needsRestart: true) var port = 0
    @Setting("The password", isSecret: true) var password: String?
}

struct HostedLimits: Settings {
    @Setting("The most requests", formerly: "max_requests") var requests = 1
    @Setting("The most bytes", formerly: "max_bytes") var bytes = 1
}

/// A service for the tests. The variable `SCENARIO` names the phase that waits or fails, and each phase prints a line.
@main
struct HostedService {
    static let scenario = ProcessInfo.processInfo.environment["SCENARIO"] ?? ""

    static func main() async {
        let container = Container()
        container.declare(HostedSettings.self)
        if scenario == "renamed" { container.declare(HostedLimits.self, at: "limits") }
        if scenario == "declares version" { container.properties.declare(TypedKey<String>("version")) }
        container.register(Pool.self) { _ in
            if scenario == "slow start" { waitForFile() }
            return Pool()
        }
        .inObjectScope(.container)
        .onClose { _ in try await close() }
        container.register(Server.self) { r in
            _ = try await r.require(Pool.self)
            return try await Server.start()
        }
        .inObjectScope(.container)
        container.register(Report.self) { _ in
            if scenario == "report fails" { throw Failure(description: "no paper") }
            if scenario == "serves on, report waits" {
                print("reporting")
                waitForFile()
            }
            return Report()
        }
        if scenario == "start fails, and goes on" {
            // Synchronous services are built after the asynchronous ones.
            container.register(Client.self) { _ in
                print("building")
                waitForFile()
                return Client()
            }
            .inObjectScope(.container)
        }
        if scenario == "returns a status" { return await runTwice() }
        if scenario == "composed" { return await compose(container) }
        if scenario == "shared dotenv" {
            await container.run(.standardSources(dotEnv: ".env", environment: "")) { container in
                print("serving")
                try await serve(container)
            }
        }
        if scenario == "chooses paths" {
            await container.run(
                .standardSources(
                    file: "config.toml", requiresFile: false, configOption: true, secrets: "secrets",
                    requiresSecrets: false, secretsOption: true, environment: "HOSTED")
            ) { container in
                print("serving")
                try await serve(container)
            }
        }
        if scenario.contains("command line"), scenario != "own command line" { return await runAnyList() }
        if scenario == "own command line" {
            await container.run([], answersCommands: false) { _ in try await answer() }
        }
        let slow = scenario.hasPrefix("slow") ? Duration.milliseconds(20) : .seconds(3600)
        await SlowStart.$interval.withValue(slow) { await run(container) }
    }

    /// Runs two services one after another, and then waits for the end of the process.
    private static func runTwice() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        for _ in 0..<2 {
            let container = Container()
            container.declare(HostedSettings.self)
            let sources: PropertySources = .standardSources(environment: "HOSTED", arguments: arguments)
            let status = await container.runUntilStopped(sources, arguments: arguments) { _ in
                write("serving")
                try await Task.sleep(for: .seconds(3600))
            }
            write("status \(status)")
        }
        write("waiting")
        try? await Task.sleep(for: .seconds(3600))
    }

    private static func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Runs a list of sources that was composed by hand.
    private static func runAnyList() async {
        let container = Container()
        if !scenario.hasSuffix("no settings") { container.declare(HostedSettings.self) }
        var sources: PropertySources = [EnvironmentPropertyLoader(prefix: "HOSTED")]
        let arguments = CommandLinePropertyLoader()
        if scenario.hasPrefix("command line") { sources = sources + [arguments] }
        if scenario == "secret command line" { sources = sources + [arguments.secret().optional()] }
        await container.run(sources, passthrough: ["verbose", "v", "serve"]) { _ in }
    }

    private static func run(_ container: Container) async {
        let isLate = scenario.hasSuffix("late")
        var log: (@Sendable (ServiceEvent) -> Void)?
        if scenario.hasPrefix("logs JSON") { log = { print($0.json) } }
        if scenario.contains("log blocks") {
            log = { event in
                FileHandle.standardError.write(Data("\(event.text)\n".utf8))
                if [.stopping, .refused].contains(event.kind) { block() }
            }
        }
        if scenario == "slow source" {
            // The source answers at once after the first line, because its load has a time limit.
            log = { event in
                FileHandle.standardError.write(Data("\(event.text)\n".utf8))
                _ = FileManager.default.createFile(atPath: "go", contents: nil)
            }
        }
        var remote: (any AsyncPropertyLoader)?
        if scenario.hasPrefix("remote") || ["slow source", "unwatched remote"].contains(scenario) { remote = Remote() }
        if scenario == "body returns, keeps" { remote = Keeper(isKeeping: true) }
        let sources: PropertySources = .standardSources(
            file: scenario == "warns" ? "config.json" : "config.toml", requiresFile: scenario != "optional file",
            remote: remote,
            secrets: scenario.hasSuffix("secrets") ? "secrets" : nil, environment: "HOSTED")
        await container.run(
            sources + [UnwatchedFile()], version: "1.2.3", unknownKeys: scenario.hasSuffix("dumps") ? .ignored : nil,
            startTimeout: startTimeout, stopDelay: stopDelay,
            stopTimeout: isLate ? .seconds(1) : .seconds(600),
            closeTimeout: isLate || scenario == "start blocks, deadline" ? .milliseconds(500) : .seconds(600),
            polling: scenario.hasPrefix("unwatched") ? nil : .milliseconds(250),
            reloadsAtHangup: scenario != "unwatched, no hangup",
            dumpsAt: scenario.hasSuffix("dumps") ? .usr1 : nil, bodyReportsReady: scenario == "reports ready",
            logFormat: .chosen(variable: "HOSTED_LOG_FORMAT", option: "log-format"), log: log
        ) { container in
            print("serving")
            if scenario == "reports ready" {
                waitForFile()
                container.reportReady()
            }
            try await serve(container)
            print("served")
        }
    }

    private static var startTimeout: Duration? {
        scenario.hasSuffix(", deadline") ? .seconds(2) : scenario == "deadline" ? .seconds(600) : nil
    }

    /// So long that only the end of the body ends it, or so short that the body is cancelled.
    private static var stopDelay: Duration {
        switch scenario {
        case "serves on", "serves on, report waits", "start waits", "slow close, start fails",
            "slow close, body returns":
            .seconds(600)
        case "serves on, and is cancelled": .milliseconds(100)
        default: .zero
        }
    }

    static func serve(_ container: Container) async throws {
        switch scenario {
        case "body opens a file": return openFile()
        case "body returns", "slow close, body returns", "log blocks, all threads close late": return
        case "body returns, keeps": return print(try container.settings(HostedSettings.self).text)
        case "registers late": container.register(Pool.self) { _ in Pool() }.inObjectScope(.container)
        case "body throws": throw Failure(description: "the disk is full")
        case "body listens":
            let port = try container.settings(HostedSettings.self).port
            print("listening on \(try listen(on: UInt16(port)))")
        case "serves on":
            for await phase in container.phases { print("\(phase), cancelled: \(Task.isCancelled)") }
            return
        case "serves on, and is cancelled":
            for await phase in container.phases { print(phase) }
            do { try await wait() } catch { print("cancelled") }
        case "follower fails", "slow follower", "slow former", "former hangs", "dumps", "logs JSON, dumps":
            let entry = container.register(Client.self) { r in
                let text = try r.settings(HostedSettings.self).text
                if text == "down" || FileManager.default.fileExists(atPath: "outage") {
                    throw Failure(description: "no connection")
                }
                if text == "slow" { waitForFile() }
                return Client(text)
            }
            .inObjectScope(.container)
            entry.followsSettings(retrying: .seconds(1000)...(.seconds(1500)))
            if ["slow former", "former hangs"].contains(scenario) {
                entry.onClose { client in
                    if scenario == "slow former" { waitForFile() } else if client.text == "Hello" { block() }
                }
                let limit = scenario == "slow former" ? Duration.seconds(600) : .milliseconds(50)
                entry.followsSettings(draining: .zero, closeTimeout: limit)
            }
            _ = try container.require(Client.self)
            print("connected")
        case "logs JSON and throws": throw Failure(description: "the disk\nis full")
        case "slow body":
            do { try await wait() } catch { waitForFile() }
            return
        case "body is late": try await Task { try await wait() }.value
        case "all threads are late": blockAll()
        case "body is stuck":
            do { try await wait() } catch { print("cancelled") }
            block()
        case "body writes to a closed pipe": print(writeToClosedPipe())
        case "full disk": try await raiseFileSize()
        default: break
        }
        try await wait()
    }

    static func close() async throws {
        print("closing")
        switch scenario {
        case "close is late": try await Task { try await wait() }.value
        case "slow close", "slow close, start fails", "slow close, body returns": waitForFile()
        case "slow close, log blocks":
            try await Task { try await Task.sleep(for: .milliseconds(1100)) }.value
            print("closing for more than a second")
            waitForFile()
        case "log blocks, all threads close late": blockAll()
        case "close throws": throw Failure(description: "the pool is stuck")
        default: print("closed")
        }
    }

    /// Blocks the thread until the file `go` exists.
    static func waitForFile() { while !FileManager.default.fileExists(atPath: "go") { usleep(10_000) } }

    /// Blocks the thread for ever.
    static func block() { while true { sleep(600) } }

    /// Blocks more threads than there are for tasks.
    static func blockAll() {
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount { Task { block() } }
        block()
    }

    /// Waits until the task is cancelled.
    static func wait() async throws { try await Task.sleep(for: .seconds(3600)) }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
}

final class Pool: Sendable {}

final class Client: Sendable {
    let text: String
    init(_ text: String = "") { self.text = text }
}

struct Report {}

final class Server: Sendable {
    static func start() async throws -> Server {
        switch HostedService.scenario {
        case "start fails", "start fails, and goes on", "slow close, start fails":
            throw Failure(description: "the network is down")
        case "start fails with lines": throw Failure(description: "the network\nis down\u{1B}[2J")
        case "start blocks, deadline": HostedService.blockAll()
        case "start waits", "start waits, deadline", "start waits, dumps":
            print("starting")
            try await HostedService.wait()
        case "start is late":
            print("starting")
            try await Task { try await HostedService.wait() }.value
        default: break
        }
        return Server()
    }
}

struct Remote: AsyncPropertyLoader {
    func load() async throws -> PropertyLayer {
        if HostedService.scenario == "slow source" { HostedService.waitForFile() }
        if let away = try? String(contentsOfFile: "away", encoding: .utf8) {
            if away.isEmpty { throw Failure(description: "no route to host") }
            if away == "slow" {
                print("loading")
                let isFirst = (try? FileManager.default.removeItem(atPath: "hang up")) != nil
                if isFirst { kill(getpid(), SIGHUP) }
                print("loaded")
            }
            return ["text": "Good morning", "password": "hunter3", "port": 1]
        }
        return ["text": "Good night", "password": "hunter3", "port": 1]
    }
}

/// Loads a file that no watcher observes, so that only SIGHUP reloads it.
struct UnwatchedFile: PropertyLoader {
    func load() throws -> PropertyLayer {
        if ["counts loads", "full disk"].contains(HostedService.scenario) { print("loaded") }
        if HostedService.scenario == "source throws" { throw Failure(description: "no route") }
        guard let text = try? String(contentsOfFile: "unwatched.json", encoding: .utf8) else { return [:] }
        return try JsonPropertyLoader(string: text, name: "unwatched.json").load()
    }
}

/// The answers of a service with a command line of its own.
func answer() async throws {
    print("own command: \(CommandLine.arguments.dropFirst().joined(separator: " "))")
    struct Settings: ServiceHost.Settings {
        var queue = Queue()
        struct Queue: ServiceHost.Settings {
            @Setting("The pause between two tries") var pause = Duration.seconds(2)
            @Setting(isSecret: true) var token: String
        }
    }
    let container = Container(),
        sources: PropertySources = [DirectoryPropertyLoader(url: URL(filePath: "none"))]
    container.declare(Settings.self)
    try await container.properties.start(awaiting: sources, withoutSecrets: true)  // settings check
    print(try container.properties.explain("queue.pause"))  // settings explain
    for entry in container.properties.values { print(entry) }  // settings dump, without what is not declared
    print(container.properties.template())
    print(container.properties.jsonSchema(refusesUnknownKeys: true))
    try await answerServices(Container(), [])
}

func answerServices(_ container: Container, _ sources: PropertySources) async throws {
    container.register(Pool.self) { _ in Pool() }.inObjectScope(.container)
    try await container.start(sources)
    for service in container.registrations { print(service) }
    print(container.registrations.json)
    print(ContainerDiagram(of: container).dot)
    await container.close()
}

/// A source that keeps its values in a run, but not for a command.
struct Keeper: KeepingLoader {
    let isKeeping: Bool
    var withoutKeeping: Keeper { Keeper(isKeeping: false) }
    func load() async throws -> PropertyLayer { ["text": isKeeping ? "kept" : "not kept"] }
}
