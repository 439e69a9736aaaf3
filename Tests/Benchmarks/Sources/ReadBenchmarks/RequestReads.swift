import Container
import Measuring
import Synchronization

/// What a service reads in each request and for each line of its log.
struct RequestSettings: Settings {
    enum Level: String, Codable { case debug, info }

    @Setting("How many items a page has", in: 1...1000) var pageSize = 50
    @Setting("The lowest level that is logged") var level = Level.info
}

extension TypedKey<Int> {
    /// A key that is made again for each read.
    static var computed: Self { TypedKey("page.size", default: 50, in: 1...1000) }
    static let stored = TypedKey("page.size", default: 50, in: 1...1000)
}

/// Reads of an unchanged state, compared with what a program without this package would have: a dictionary in a `Mutex`.
struct RequestReads {
    private let dictionary = Guarded(["request.pageSize": 50, "page.size": 50])
    private let store = PropertyStore()
    private var base = Measure("dictionary in a Mutex")
    private var setting = Measure("a setting of a settings type")
    private var level = Measure("the level of a log, from a settings type")
    private var stored = Measure("a key in a static let")
    private var computed = Measure("a key in a static var")

    init() throws {
        store.declare(RequestSettings.self, at: "request")
        store.declare(.stored)
        try store.apply(Given())
    }

    mutating func sample() {
        let (count, store, dictionary) = (100_000, store, dictionary)
        func sum(_ read: () -> Int) -> Int { (0..<count).reduce(0) { sum, _ in sum &+ read() } }
        base.sample(count) { sum { dictionary["page.size"] ?? 0 } }
        setting.sample(count) { sum { (try? store.settings(RequestSettings.self).pageSize) ?? 0 } }
        level.sample(count) { sum { (try? store.settings(RequestSettings.self).level) == .info ? 1 : 0 } }
        stored.sample(count) { sum { store.property(.stored) ?? 0 } }
        computed.sample(count) { sum { store.property(.computed) ?? 0 } }
    }

    func report() {
        print("Reads in a request, as ratios to a dictionary in a Mutex")
        print(line(base, to: base))
        // A dictionary in a `Mutex`, and the lock of the store's readers around it. 1.5 would need a read without a lock.
        print(line(setting, to: base, atMost: 2.2))
        print(line(level, to: base, atMost: 2.2))
        print(line(stored, to: base, atMost: 2))
        print(line(computed, to: base))
    }
}

private struct Given: PropertyLoader {
    func load() -> PropertyLayer { ["request.pageSize": 20, "request.level": "debug", "page.size": 20] }
}

private final class Guarded: Sendable {
    private let content: Mutex<[String: Int]>
    init(_ content: [String: Int]) { self.content = Mutex(content) }
    subscript(name: String) -> Int? { content.withLock { $0[name] } }
}
