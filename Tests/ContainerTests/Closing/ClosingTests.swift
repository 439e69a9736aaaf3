import Container
import Synchronization
import Testing

/// Collects lines in the order of their writing.
final class Log: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func write(_ line: String) { all.withLock { $0.append(line) } }
}

extension Container {
    /// Closes with a long timeout, because other tests may occupy the threads that run tasks.
    @discardableResult
    func closeSlowly() async -> [ResolutionError] { await close(timeout: .seconds(600)) }
}

@Suite("Closing a container", .hangLimit)
struct ClosingTests {
    let container = Container()
    let log = Log()

    final class Pool: Sendable {}
    final class Store: Sendable {
        let pool: Pool?
        init(_ pool: Pool? = nil) { self.pool = pool }
    }
    final class Site: Sendable {
        let store: Store?
        init(_ store: Store? = nil) { self.store = store }
    }

    @Test("Instances are closed in the reverse order of their completion, by synchronous and asynchronous closures")
    func order() async {
        let log = log
        container.register(Site.self) { r in Site(try r.require(Store.self)) }.inObjectScope(.container)
            .onClose { _ in log.write("site") }
        container.register(Store.self) { r in Store(try r.require(Pool.self)) }.inObjectScope(.session)
            .onClose { store in
                await Task.yield()
                log.write(store.pool == nil ? "store" : "store with pool")
            }
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write("pool") }
        #expect(container.resolve(Site.self) != nil)
        #expect(await container.closeSlowly().isEmpty)
        #expect(log.lines == ["site", "store with pool", "pool"])
    }

    @Test("What an unshared service takes later by a Provider is closed after the shared service that has it")
    func behindUnshared() async throws {
        struct Check: Sendable { let pool: Provider<Pool> }
        final class Visit: Sendable {
            let check: Check
            init(_ check: Check) { self.check = check }
        }
        let log = log
        container.register(Check.self) { r in Check(pool: try r.require(Provider<Pool>.self)) }
        container.register(Visit.self) { r in Visit(try r.require(Check.self)) }.inObjectScope(.container)
            .onClose { visit in
                _ = try visit.check.pool.get()
                log.write("visit")
            }
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write("pool") }
        _ = (try container.require(Visit.self), try container.require(Pool.self))
        #expect(await container.closeSlowly().isEmpty)
        #expect(log.lines == ["visit", "pool"])
    }

    @Test("What a factory takes from a captured container is closed after it, although it is no dependency")
    func capturedContainer() async {
        let log = log
        container.register(Site.self) { [unowned container] _ in
            Site(try container.require(Store.self))
        }.inObjectScope(.container).onClose { _ in log.write("site") }
        container.register(Store.self) { [unowned container] _ in
            Store(try container.require(Pool.self))
        }.inObjectScope(.session).initCompleted { _, _ in }.onClose { _ in log.write("store") }
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).initCompleted { _, _ in }
            .onClose { _ in log.write("pool") }
        #expect(container.resolve(Site.self)?.store?.pool != nil)
        let dependencies = container.registrations.flatMap(\.dependencies)
        #expect(dependencies.isEmpty)
        #expect(await container.closeSlowly().isEmpty)
        #expect(log.lines == ["site", "store", "pool"])
    }

    @Test("Several closures of a service run in reverse order, also if one throws, and its error is reported")
    func several() async {
        let log = log
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container)
            .onClose { _ in log.write("first") }
            .onClose { _ in throw Failure("second") }
            .onClose { _ in log.write("third") }
        _ = container.resolve(Pool.self)
        container.onFailure { [log] in log.write("\($0)") }
        let errors = await container.closeSlowly()
        #expect(log.lines == ["third", "Pool: the closing of Pool threw: second", "first"])
        #expect(errors.map(\.reason) == [.closeFailed] && errors.first?.cause as? Failure == Failure("second"))
    }

    @Test("A service that was never resolved is not closed, and neither is a transient, graph or weak one")
    func notKept() async {
        let log = log
        for scope in [UnsharedScope.transient, .graph] {
            container.register(Pool.self, name: "\(scope)") { _ in Pool() }.inObjectScope(scope)
                .onClose { _ in log.write("\(scope)") }
            _ = container.resolve(Pool.self, name: "\(scope)")
        }
        container.register(Store.self) { _ in Store() }.inObjectScope(.weak).onClose { _ in log.write("weak") }
        let store = container.resolve(Store.self)
        container.register(Site.self) { _ in Site() }.inObjectScope(.container).onClose { _ in log.write("site") }
        await container.closeSlowly()
        #expect(store != nil && log.lines.isEmpty)
    }

    @Test("An instance whose types are registered by implements is closed once")
    func implements() async {
        let log = log
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write("pool") }
            .implements((any Sendable).self)
        _ = (container.resolve((any Sendable).self), container.resolve(Pool.self))
        await container.closeSlowly()
        #expect(log.lines == ["pool"])
    }

    @Test("If one service takes the other in initCompleted, the one whose factory took the other is closed first")
    func circle() async {
        for first in ["parent", "child"] {
            let (container, log) = (Container(), Log())
            container.register(Site.self) { r in Site(try r.require(Store.self)) }.inObjectScope(.container)
                .onClose { _ in log.write("parent") }
            container.register(Store.self) { _ in Store() }.inObjectScope(.container)
                .initCompleted { r, _ in _ = try r.require(Site.self) }
                .onClose { _ in log.write("child") }
            _ = first == "parent" ? container.resolve(Site.self) as Any : container.resolve(Store.self) as Any
            await container.closeSlowly()
            #expect(log.lines == ["parent", "child"])
        }
    }

    @Test("What a Lazy looks up is closed after its user, with the whole circle that it is in")
    func lazyCircle() async throws {
        final class User: Sendable {
            let site: Lazy<Site>
            init(_ site: Lazy<Site>) { self.site = site }
        }
        let log = log
        container.register(User.self) { r in User(try r.require(Lazy<Site>.self)) }.inObjectScope(.container)
            .onClose { _ in log.write("user") }
        container.register(Site.self) { r in Site(try r.require(Store.self)) }.inObjectScope(.container)
            .onClose { _ in log.write("site") }
        container.register(Store.self) { _ in Store() }.inObjectScope(.container)
            .initCompleted { r, _ in _ = try r.require(Pool.self) }.onClose { _ in log.write("store") }
        container.register(Pool.self) { r in
            _ = try r.require(Site.self)
            return Pool()
        }.inObjectScope(.container).onClose { _ in log.write("pool") }
        _ = try container.require(User.self).site.get()
        await container.closeSlowly()
        #expect(log.lines == ["user", "pool", "site", "store"])
    }

    @Test("A service is closed before one that its initCompleted took, even if that has completions of its own")
    func completion() async {
        let log = log
        container.register(Site.self) { _ in Site() }.inObjectScope(.container)
            .initCompleted { r, _ in _ = try r.require(Store.self) }.onClose { _ in log.write("site") }
        container.register(Store.self) { _ in Store() }.inObjectScope(.container)
            .initCompleted { _, _ in }.onClose { _ in log.write("store") }
        _ = container.resolve(Site.self)
        await container.closeSlowly()
        #expect(log.lines == ["site", "store"])
    }

    @Test("A service is closed before what it took, also if it took the same service of a child container afterwards")
    func sameServiceOfChild() async {
        let (log, container) = (log, container)
        let child = Container(parent: container)
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.child).onClose { _ in log.write("pool") }
        container.register(Store.self) { _ in Store() }.inObjectScope(.container)
            .initCompleted { r, _ in
                _ = try r.require(Pool.self)
                _ = try child.require(Pool.self)
            }
            .onClose { _ in log.write("store") }
        #expect(container.resolve(Store.self) != nil)
        await child.closeSlowly()
        log.write("child closed")
        await container.closeSlowly()
        #expect(log.lines == ["pool", "child closed", "store", "pool"])
    }

    @Test("A hook finds what is closed after it, also by a Provider, a Lazy, a forward and a child, and nothing else")
    func whatIsOpen() async throws {
        let (container, log) = (container, log)
        container.register(Pool.self) { _ in Pool() }.implements(AnyObject.self).inObjectScope(.container)
            .onClose { _ in log.write("pool") }
        container.register(Pool.self, name: "not built") { _ in Pool() }.inObjectScope(.container)
        let child = Container(parent: container)
        let flush = Mutex<(@Sendable () throws -> Void)?>(nil)
        container.register(Store.self) { r in
            let (provider, lazy) = (try r.require(Provider<Pool>.self), try r.require(Lazy<Pool>.self))
            let site = try r.require(Provider<Site>.self)
            flush.withLock {
                $0 = { () throws in
                    #expect(try provider.get() === lazy.get())
                    #expect(try provider.get() === container.require(AnyObject.self))
                    #expect(try provider.get() === child.require(Pool.self))
                    #expect(failure { _ = try container.require(Store.self) }?.reason == .closed)
                    #expect(failure { _ = try container.require(Pool.self, name: "not built") }?.reason == .closed)
                    #expect(failure { _ = try site.get() }?.reason == .closed)
                    log.write("store")
                }
            }
            return Store()
        }
        .inObjectScope(.container).onClose { _ in try flush.withLock { $0 }?() }
        container.register(Site.self) { r in Site(try r.require(Store.self)) }.inObjectScope(.container)
            .onClose { site async throws in
                #expect(try container.require(Store.self) === site.store)
                log.write("site")
            }
        // The pool became complete last.
        _ = try container.require(Site.self)
        _ = try container.require(Pool.self)
        #expect(await container.closeSlowly().isEmpty)
        #expect(log.lines == ["site", "store", "pool"])
        #expect(failure { _ = try container.require(Pool.self) }?.reason == .closed)
    }

    @Test("After close, resolve returns nil and require throws .closed, also in a child for services of the parent")
    func closed() async {
        let (child, failures) = (Container(parent: container), Failures())
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container)
        child.register(Store.self) { _ in Store() }
        let pool = child.resolve(Pool.self)
        await child.closeSlowly()
        failures.listen(to: child)
        #expect(child.resolve(Pool.self) == nil && child.resolve(Store.self) == nil)
        #expect(failures.all.map(\.reason) == [.closed, .closed])
        let error = failure { _ = try child.require(Pool.self) }
        #expect(error?.description == "Pool: the container of Pool is closed. Resolve what you need before close()")
        #expect(container.resolve(Pool.self) === pool)
        child.register(Store.self) { _ in Store() }
        child.removeAll()
        #expect(failure { _ = try child.require(Store.self) }?.reason == .closed)
        #expect(failure { _ = try child.require(Container.self) }?.reason == .closed)
    }

    @Test("close of a child does not close its parent's instances, and that of a parent not its child's")
    func hierarchy() async {
        let (child, log) = (Container(parent: container), log)
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write("pool") }
        child.register(Store.self) { r in Store(try r.require(Pool.self)) }.inObjectScope(.container)
            .onClose { _ in log.write("store") }
        _ = child.resolve(Store.self)
        await child.closeSlowly()
        #expect(log.lines == ["store"])
        await container.closeSlowly()
        #expect(log.lines == ["store", "pool"])
    }

    @Test("A second close waits for the first, closes nothing again and returns the same errors")
    func twice() async {
        let (log, container) = (log, container)
        container.onFailure { _ in }
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container)
            .onClose { _ in
                log.write("pool")
                try await Task.sleep(for: .milliseconds(20))
                throw Failure("late")
            }
        _ = container.resolve(Pool.self)
        async let first = container.closeSlowly()
        async let second = container.closeSlowly()
        let counts = await [first.count, second.count, container.closeSlowly().count]
        #expect(counts == [1, 1, 1] && log.lines == ["pool"])
    }

    @Test("At the deadline, the task of a closure is cancelled, and those that are left are started")
    func timeout() async {
        let log = log
        container.onFailure { _ in }
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write("pool") }
        container.register(Store.self) { _ in Store() }.inObjectScope(.container)
            .onClose { _ in
                await withTaskCancellationHandler {
                    await Self.never()
                } onCancel: {
                    log.write("cancelled")
                }
            }
        _ = (container.resolve(Pool.self), container.resolve(Store.self))
        let errors = await container.close(timeout: .milliseconds(20))
        await until { log.lines.count == 2 }
        #expect(log.lines.sorted() == ["cancelled", "pool"])
        #expect(
            errors.first?.description
                == "Store: the closing of Store did not end within 0.02 seconds. Let it end when its task is cancelled, or give the closing more time"
        )
    }

    /// Suspends for longer than any test runs, and ignores cancellation.
    private static func never() async { await Task { try? await Task.sleep(for: .seconds(600)) }.value }

    @Test("A cancelled task can close a container")
    func cancelled() async {
        let (container, log) = (container, log)
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write("pool") }
        _ = container.resolve(Pool.self)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await container.closeSlowly()
        }
        task.cancel()
        await task.value
        #expect(log.lines == ["pool"])
    }

    @Test("A replaced registration's instance is closed with the container")
    func replaced() async {
        let log = log
        for name in ["old", "new"] {
            container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write(name) }
            _ = container.resolve(Pool.self)
        }
        #expect(log.lines.isEmpty)
        await container.closeSlowly()
        #expect(log.lines == ["new", "old"])
    }

    @Test("close releases the instances, also one that refers to its container")
    func releases() async {
        final class Holder: Sendable {
            let container: Container
            init(_ container: Container) { self.container = container }
        }
        weak var former: Container?
        do {
            let container = Container()
            former = container
            container.register(Holder.self) { r in Holder(try r.require(Container.self)) }.inObjectScope(.container)
                .onClose { _ in }
            _ = container.resolve(Holder.self)
            await container.closeSlowly()
        }
        // The tasks that close it may still hold it for a moment.
        await until { former == nil }
        #expect(former == nil)
    }

    #if DEBUG
        @Test("A container that is released without close says on standard error what it left open, in debug builds")
        func leftOpen() async throws {
            let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                for isClosed in [false, true] {
                    let container = Container()
                    container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in }
                        .onClose { _ in }
                    container.register(Store.self, name: "a") { _ in Store() }.inObjectScope(.container).onClose { _ in
                    }
                    _ = (container.resolve(Pool.self), container.resolve(Store.self, name: "a"))
                    if isClosed { await container.close() }
                }
            }
            #expect(
                String(decoding: result.standardErrorContent, as: UTF8.self)
                    == "Container: released without close() and still open: Pool, Store \"a\". Await close() first\n")
        }
    #endif
}
