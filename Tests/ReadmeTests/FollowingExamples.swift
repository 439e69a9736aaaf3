import Container
import Foundation
import PropertyLoaders
import Synchronization
import Testing

// The Swift blocks of the guide about services that follow their settings, copied verbatim.

private struct AccountSettings: Settings {
    @Setting("The user of the database") var user = "shop"
    @Setting("Its password", isSecret: true) var password: String
}

private final class Accounts: Sendable {
    let password: String
    private let open = Atomic(true)
    var isOpen: Bool { open.load(ordering: .sequentiallyConsistent) }

    private init(_ settings: AccountSettings) { password = settings.password }

    static func open(_ settings: AccountSettings) async throws -> Accounts {
        if settings.password == "wrong" { throw Refused() }
        return Accounts(settings)
    }

    func shutdown() async throws { open.store(false, ordering: .sequentiallyConsistent) }
}

private struct Refused: Error {}

private struct Signup: Sendable { let accounts: Provider<Accounts> }

private struct Invoices: Sendable { let accounts: Accounts }

@Suite("The guide about services that follow their settings")
struct FollowingExamples {
    @Test("A rotated password replaces the services that hold a connection")
    func rotate() async throws {
        let container = Container()
        let lines = Mutex<[String]>([])
        let problems = Mutex<[String]>([])
        let log = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
        let report = { (line: String) in problems.withLock { $0.append(line) } }
        container.onFailure { _ in }
        container.declare(AccountSettings.self, at: "accounts")
        container.register(Accounts.self) { r async throws in
            try await Accounts.open(r.settings(AccountSettings.self))
        }
        .inObjectScope(.container)
        .onClose { try await $0.shutdown() }
        .followsSettings(draining: .seconds(30))
        .onReplace { changes in for change in changes { log("accounts: \(change)") } }
        container.register(Signup.self) { r in Signup(accounts: try r.require(Provider<Accounts>.self)) }
            .inObjectScope(.container)
        container.register(Invoices.self) { r in Invoices(accounts: try r.require(Accounts.self)) }
            .inObjectScope(.container)
            .followsSettings()

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let secret = folder.appendingPathComponent("accounts.password")
        try Data("first".utf8).write(to: secret)
        try await container.start([DirectoryPropertyLoader(url: folder)])
        let (former, signup) = (try container.require(Accounts.self), try container.require(Signup.self))

        try Data("second".utf8).write(to: secret)
        try container.properties.reload()
        await container.settled()
        let shown = "******** (\(secret.path))"
        #expect(lines.withLock { $0 } == ["accounts: accounts.password: \(shown) → \(shown)"])
        let current = try container.require(Accounts.self)
        #expect(current.password == "second" && former.isOpen)
        #expect(try signup.accounts.get() === current)
        #expect(try container.require(Invoices.self).accounts === current)

        try Data("wrong".utf8).write(to: secret)
        try container.properties.reload()
        await container.settled()
        let outdated = container.outdatedServices.map(\.service)
        if !outdated.isEmpty { report("not on the last settings: \(outdated)") }
        #expect(problems.withLock { $0 } == [#"not on the last settings: ["Accounts", "Invoices"]"#])
        #expect(try container.require(Accounts.self) === current)
        await container.close(timeout: .seconds(600))
        #expect(!former.isOpen && !current.isOpen)
    }

    @Test("A test waits until a service has the new setting")
    func settle() async throws {
        let container = Container()
        container.declare(AccountSettings.self, at: "accounts")
        container.register(Accounts.self) { r async throws in
            try await Accounts.open(r.settings(AccountSettings.self))
        }
        .inObjectScope(.container).followsSettings()
        try container.properties.set("accounts.password", to: "first")
        try await container.start()

        try container.properties.set("accounts.password", to: "second")
        await container.settled()
        #expect(try container.require(Accounts.self).password == "second")
        await container.close(timeout: .seconds(600))
    }
}
