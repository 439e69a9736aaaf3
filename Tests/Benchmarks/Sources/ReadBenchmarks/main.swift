import Container
import Measuring

// swift run -c release --package-path Tests/Benchmarks ReadBenchmarks

let reading = try Reading().copy()
let copies = [reading.copy(), reading.copy()]
let rounds = 20
let count = rounds * reading.names.count
var base = Measure("Dictionary<String, enum>")
var name = Measure("property(name) as Int")
var key = Measure("property(key) as Int")
var child = Measure("property(name), through three stores")
var container = Measure("container.property(name) as Int")
var baseTwo = Measure("Dictionary, two threads")
var nameTwo = Measure("property(name), two threads")

for _ in 0..<11 {
    base.sample(count) { reading.dictionary(rounds) }
    name.sample(count) { reading.byName(rounds) }
    key.sample(count) { reading.byKey(rounds) }
    child.sample(count) { reading.fromChild(rounds) }
    container.sample(count) { reading.fromContainer(rounds) }
    baseTwo.sample(count, threads: 2) { copies[$0].dictionary(rounds) }
    nameTwo.sample(count, threads: 2) { copies[$0].byName(rounds) }
}

print("Reads of 10,000 properties in a random order, as ratios to a bare dictionary")
print(line(base, to: base))
print(line(name, to: base, atMost: 1.3))
print(line(key, to: base, atMost: 0.8))
print(line(child, to: base))
print(line(container, to: base, atMost: 1.3))
let speedUps = (base: 2 * base.median / baseTwo.median, name: 2 * name.median / nameTwo.median)
let verdict = speedUps.name >= 0.9 * speedUps.base ? "ok" : "MISSED"
print(
    "two threads: \(hundredths(speedUps.name)) times as fast as one, the dictionary \(hundredths(speedUps.base))  "
        + "(limit 0.9 of it: \(verdict))")
