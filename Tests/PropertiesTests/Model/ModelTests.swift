import FoundationEssentials
import Properties
import Testing

/// `PROPERTY_STACKS=1000000 swift test -c release --filter PropertiesTests.ModelTests` plays more stacks than usual and
/// compares more of each. `PROPERTY_SEED=… PROPERTY_STACKS=1` replays a single stack. With
/// `SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0`, Swift Testing records no backtrace of each thrown error, which would cost as
/// much as everything else.
@Suite("Stores agree with a simple and slow model of the property rules")
struct ModelTests {
    private static let shards = 4

    @Test("Stores with random stacks of sources read like the model")
    func randomStacks() async throws {
        let environment = ProcessInfo.processInfo.environment
        let asked = environment["PROPERTY_STACKS"].flatMap { Int($0) }
        let count = asked ?? 600
        let seed = environment["PROPERTY_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max / 2)
        let seen = await withTaskGroup(of: SeenInStacks.self) { group in
            for shard in 0..<Self.shards {
                group.addTask {
                    Self.play(stride(from: shard, to: count, by: Self.shards), seed, isQuick: asked == nil)
                }
            }
            return await group.reduce(into: SeenInStacks()) { $0.add($1) }
        }
        if asked != nil { print("PROPERTY_SEED=\(seed)", seen) }
        guard count >= 5000 else { return }
        for (what, least) in SeenInStacks.least { #expect(seen.counts[what] ?? 0 > least, "\(what)") }
    }

    private static func play(_ numbers: StrideTo<Int>, _ seed: UInt64, isQuick: Bool) -> SeenInStacks {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stacks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var seen = SeenInStacks()
        var failures = 0
        for number in numbers {
            let stackSeed = seed &+ UInt64(number)
            var generator = StackGenerator(seed: stackSeed)
            let stack = generator.stack()
            var player = StackPlayer(stack, folder: folder, isQuick: isQuick)
            let difference = player.difference()
            seen.add("stacks")
            seen.add(player.seen)
            guard let difference else { continue }
            Issue.record("PROPERTY_SEED=\(stackSeed)\n\(stack)\n\(difference)")
            failures += 1
            // More failures most likely have the same cause.
            if failures == 3 { break }
        }
        return seen
    }
}
