import Container
import Testing

/// A test registers a service again in a child, and wonders why a shared service of the parent does not use it.
@Suite("Overrides in a child that shared services of its parents do not see")
struct UnseenOverrideTests {
    protocol Clock: Sendable { var time: String { get } }
    struct SystemClock: Clock { var time: String { "now" } }
    struct FixedClock: Clock { var time: String { "noon" } }

    final class Report: Sendable {
        let time: String
        init(_ time: String) { self.time = time }
    }
    struct Page: Sendable { let report: Report }

    let container = Container()
    let failures = Failures()

    init() {
        failures.listen(to: container)
        container.register((any Clock).self) { _ in SystemClock() }
        container.register(Report.self) { r in Report(try r.require((any Clock).self).time) }
            .inObjectScope(.container)
    }

    private func childWithOverride(of parent: Container? = nil) -> Container {
        let child = Container(parent: parent ?? container)
        child.register((any Clock).self) { _ in FixedClock() }
        return child
    }

    static let message =
        "Report → Clock: Report is shared, and has taken Clock from its own container. It does not see Clock of this "
        + "child. Register it in the container of Report before the start, or give Report the scope .child"

    @Test("A resolve gets the parent's instance, and says so once for all children", arguments: [false, true])
    func resolve(isBuiltBefore: Bool) throws {
        if isBuiltBefore { _ = try container.require(Report.self) }
        for _ in 0..<3 {
            let child = childWithOverride()
            for _ in 0..<2 { #expect(try child.require(Report.self).time == "now") }
            #expect(try child.require((any Clock).self).time == "noon")
        }
        #expect(failures.all.map(\.description) == [Self.message])
        #expect(failures.all.map(\.reason) == [.unseenOverride])
        #expect(failures.all.first?.path == ["Report", "Clock"])
    }

    @Test("A child that lives long remembers a limited number of the instances of its parents")
    func longLife() throws {
        container.register(Report.self, name: "weak") { r in Report(try r.require((any Clock).self).time) }
            .inObjectScope(.weak)
        let child = childWithOverride()
        for _ in 0..<2_500 { _ = try child.require(Report.self, name: "weak") }
        #expect((1...1_000).contains(child.checkedForOverrides))
        #expect(failures.all.map(\.reason) == [.unseenOverride])
    }

    @Test("verify of the child names it as a warning, each time, and throws only if it is asked to")
    func verify() async throws {
        let child = childWithOverride()
        for count in 1...2 {
            try await child.verify()
            #expect(failures.all.map(\.description) == Array(repeating: Self.message, count: count))
        }
        let error = await #expect(throws: ConfigurationErrors.self) {
            try await child.verify(refusesUnseenOverrides: true)
        }
        #expect(error?.services.map(\.description) == [Self.message])
        #expect(failures.all.count == 2)
        try await container.verify(refusesUnseenOverrides: true)
        await child.close()
        await container.close()
    }

    @Test(
        "Every shared scope but that of a child is named, also one that takes it through an unshared service or later",
        arguments: [SharedScope.container, .session, .weak, .child])
    func scopes(scope: SharedScope) async throws {
        container.register(String.self) { r in try r.require((any Clock).self).time }
        container.register(Report.self, name: "deep") { r in Report(try r.require(String.self)) }.inObjectScope(scope)
        container.register(Report.self, name: "later") { r in
            _ = try r.require(Provider<any Clock>.self)
            return Report("")
        }
        .inObjectScope(scope)
        let child = childWithOverride()
        try await child.verify()
        let named = failures.all.map(\.path)
        let all = [#"Report "deep""#, #"Report "later""#].map { [$0, "Clock"] }
        #expect(named == [["Report", "Clock"]] + (scope == .child ? [] : all))
        failures.clear()
        let deep = try child.require(Report.self, name: "deep")
        #expect(deep.time == (scope == .child ? "noon" : "now"))
        #expect(failures.all.map(\.path) == (scope == .child ? [] : [all[0]]))
        await child.close()
        await container.close()
    }

    @Test("An override of a type that a service is taken as is found, and one of another type is not")
    func views() async throws {
        container.register(SystemClock.self) { _ in SystemClock() }.implements((any Clock).self)
        container.register(Report.self, name: "own") { r in Report(try r.require(SystemClock.self).time) }
            .inObjectScope(.container)
        let child = childWithOverride()
        _ = try child.require(Report.self, name: "own")
        #expect(failures.all.isEmpty)
        #expect(try child.require(Report.self).time == "now")
        #expect(failures.all.map(\.path) == [["Report", "Clock"]])
        let other = Container(parent: container)
        other.register(SystemClock.self) { _ in SystemClock() }
        try await other.verify()
        let found = [["Report", "Clock"], ["Report", "SystemClock"], [#"Report "own""#, "SystemClock"]]
        #expect(failures.all.map(\.path) == found)
        await other.close()
        await container.close()
    }

    @Test("A shared service that has taken the one that does not see it leads to it")
    func deep() throws {
        container.register(Page.self) { r in Page(report: try r.require(Report.self)) }.inObjectScope(.container)
        let child = childWithOverride()
        #expect(try child.require(Page.self).report.time == "now")
        #expect(failures.all.map(\.path) == [["Report", "Clock"]])
        // The child's own service takes it.
        let other = Container(parent: container)
        other.register(Page.self) { r in Page(report: try r.require(Report.self)) }.inObjectScope(.container)
        other.register(Report.self) { _ in Report("") }
        #expect(try other.require(Page.self).report.time == "")
        #expect(failures.all.count == 1)
    }

    @Test("A child of the child that overrides is told, too, and so is one that overrides after its first resolve")
    func generations() throws {
        let grandchild = Container(parent: childWithOverride())
        #expect(try grandchild.require(Report.self).time == "now")
        #expect(failures.all.count == 1)
        let late = Container(parent: container)
        late.register(String.self) { _ in "" }
        container.register(Int.self) { _ in 1 }
        container.register(Report.self, name: "number") { r in Report("\(try r.require(Int.self))") }
            .inObjectScope(.container)
        _ = try late.require(Report.self, name: "number")
        late.register((any Clock).self) { _ in FixedClock() }
        _ = try late.require(Report.self, name: "number")
        late.register(Int.self) { _ in 2 }
        #expect(try late.require(Report.self, name: "number").time == "1")
        #expect(failures.all.map(\.path).last == [#"Report "number""#, "Int"])
        #expect(failures.all.count == 2)
    }

    @Test("What a child gives is no override, nor what only children have, nor what an unshared service takes")
    func noOverride() async throws {
        container.givenByChild(Int.self)
        container.register(String.self) { r in "\(try r.require(Int.self)) \(try r.require((any Clock).self).time)" }
        let (text, report) = try await container.withChild(providing: 7) { child in
            child.register(Bool.self) { _ in true }
            try await child.verify()
            return (try child.require(String.self), try child.require(Report.self).time)
        }
        #expect((text, report) == ("7 now", "now"))
        #expect(failures.all.isEmpty)
        let override = try await container.withChild(providing: 8) { child in
            child.register((any Clock).self) { _ in FixedClock() }
            return try child.require(String.self)
        }
        #expect(override == "8 noon")
        #expect(failures.all.isEmpty)
        await container.close()
    }

    @Test("A value that is given in place of a registration is an override")
    func givenValue() async throws {
        let clock: any Clock = FixedClock()
        let time = try await container.withChild(providing: clock) { try $0.require(Report.self).time }
        #expect(time == "now")
        #expect(failures.all.map(\.description) == [Self.message])
        await container.close()
    }

    @Test("A service that is built with await is found, too")
    func asynchronous() async throws {
        container.register(Page.self) { (r: AsyncResolver) async throws in
            let clock = try await r.require((any Clock).self)
            await Task.yield()
            return Page(report: Report(clock.time))
        }
        .inObjectScope(.container)
        let child = childWithOverride()
        #expect(try await child.require(async: Page.self).report.time == "now")
        #expect(failures.all.map(\.path) == [["Page", "Clock"]])
        await child.close()
        await container.close()
    }
}
