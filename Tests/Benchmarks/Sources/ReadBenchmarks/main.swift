import Container
import Measuring

let reading = try Reading().copy()
let copies = [reading.copy(), reading.copy()]
let rounds = 20
let count = rounds * reading.names.count
var base = Measure("Dictionary<String, enum>")
var name = Measure("property(name) as Int")
var key = Measure("property(key) as Int")
var miss = Measure("property(name), missing")
var child = Measure("the same, through three levels of stores")
var container = Measure("container.property(name) as Int")
var containerKey = Measure("container.property(key) as Int")
var baseTwo = Measure("Dictionary, two threads")
var nameTwo = Measure("property(name), two threads")
var keyTwo = Measure("property(key), two threads")
var containerTwo = Measure("container.property(name), two threads")

for _ in 0..<11 {
    base.sample(count) { reading.dictionary(rounds) }
    name.sample(count) { reading.byName(rounds) }
    key.sample(count) { reading.byKey(rounds) }
    miss.sample(count) { reading.miss(rounds) }
    child.sample(count) { reading.fromChild(rounds) }
    container.sample(count) { reading.fromContainer(rounds) }
    containerKey.sample(count) { reading.containerByKey(rounds) }
    baseTwo.sample(count, threads: 2) { copies[$0].dictionary(rounds) }
    nameTwo.sample(count, threads: 2) { copies[$0].byName(rounds) }
    keyTwo.sample(count, threads: 2) { copies[$0].byKey(rounds) }
    containerTwo.sample(count, threads: 2) { copies[$0].fromContainer(rounds) }
}

print("Reads of 10,000 properties in a random order, as ratios to a bare dictionary")
print(line(base, to: base))
print(line(name, to: base, atMost: 1.3))
print(line(key, to: base, atMost: 0.7))
print(line(miss, to: base, atMost: 1.3))
print(line(child, to: base))
print(line(container, to: base, atMost: 1.3))
print(line(containerKey, to: base, atMost: 0.7))
print("\nTwo threads: throughput against one, at least 1.7")
print("  Dictionary              \(hundredths(2 * base.median / baseTwo.median))")
print("  property(name)          \(hundredths(2 * name.median / nameTwo.median))")
print("  property(key)           \(hundredths(2 * key.median / keyTwo.median))")
print("  container.property(name) \(hundredths(2 * container.median / containerTwo.median))")

var load = Measure("load 1 KB of TOML, read ten values")
for _ in 0..<51 { load.sample(100) { (0..<100).reduce(0) { sum, _ in sum &+ Loading.run() } } }
// PeerBenchmarks compares this with TOMLKit.
print("\n\(load.name): \(tenths(load.median / 1000)) µs")

if CommandLine.arguments.contains("--reloads") {
    print("\nResident memory under reloads of 100 keys, read by another thread")
    try Reloads.run(1_000_000)
}
