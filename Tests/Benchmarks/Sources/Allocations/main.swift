import Container
import Foundation

// Checks that what a service does all the time allocates nothing.
//
//     clang -shared -fPIC -O2 -o allocations.so Tests/Benchmarks/Preload/allocations.c
//     LD_PRELOAD=./allocations.so swift run -c release --package-path Tests/Benchmarks Allocations

/// The function of the preloaded library.
typealias Counter = @convention(c) () -> Int

guard let symbol = unsafe dlsym(nil, "allocations") else {
    print("Preload the library that counts allocations: see the first lines of this program")
    exit(64)
}
let allocations = unsafe unsafeBitCast(symbol, to: Counter.self)
let rounds = 1_000

@inline(never)
func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// Prints how many allocations a call needs, and whether that is as expected.
func check(_ name: String, expected: Int = 0, _ body: () -> Void) {
    for _ in 0..<10 { body() }
    let before = allocations()
    for _ in 0..<rounds { body() }
    let count = Double(allocations() - before) / Double(rounds)
    let padded = name.padding(toLength: 44, withPad: " ", startingAt: 0)
    print("\(padded)\(count) allocations  (limit \(expected): \(count == Double(expected) ? "ok" : "MISSED"))")
}

final class Shared: Sendable {}

struct Server: Settings {
    @Setting("Name") var name = "a name that is longer than fifteen bytes"
    @Setting("Port", in: 1...65_535) var port = 8080
    @Setting("Share", in: 0...1) var share = 0.5
    @Setting("Whether to log") var logs = true
}

enum Keys {
    static let port = TypedKey<Int>("server.port", default: 1)
    static let share = TypedKey<Double>("server.share", default: 1)
    static let logs = TypedKey<Bool>("server.logs", default: false)
    static let name = PropertyKey("server.name")
}

let container = Container()
container.register(Shared.self) { _ in Shared() }.inObjectScope(.container)
container.register(Shared.self, name: "replica") { _ in Shared() }.inObjectScope(.container)
container.declare(Server.self, at: "server")
try container.properties.set("server.port", to: 80)
try container.properties.set("server.share", to: 0.25)
try container.properties.set("server.logs", to: true)
let child = Container(parent: container)

print("Allocations of a call")
check("a new object, which shows that they count", expected: 1) { use(Shared()) }
check("a hit of a shared service") { use(container.resolve(Shared.self)) }
check("a hit with a name") { use(container.resolve(Shared.self, name: "replica")) }
check("a hit through a child") { use(child.resolve(Shared.self)) }
check("an Int by a typed key") { use(container.property(Keys.port)) }
check("a Double by a typed key") { use(container.property(Keys.share)) }
check("a Bool by a typed key") { use(container.property(Keys.logs)) }
check("an Int by a key") { use(container.property(Keys.port.key) as Int?) }
check("a settings type read again") { use(try? container.settings(Server.self)) }
