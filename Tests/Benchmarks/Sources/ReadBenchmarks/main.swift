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
// Beside the hash of the name, a read takes a lock for readers and converts the value. 1.3 would need a read without a lock.
print(line(name, to: base, atMost: 1.6))
print(line(key, to: base, atMost: 0.8))
print(line(child, to: base))
print(line(container, to: base, atMost: 1.6))
let speedUps = (base: 2 * base.median / baseTwo.median, name: 2 * name.median / nameTwo.median)
let verdict = speedUps.name >= 0.9 * speedUps.base ? "ok" : "MISSED"
print(
    "two threads: \(hundredths(speedUps.name)) times as fast as one, the dictionary \(hundredths(speedUps.base))  "
        + "(limit 0.9 of it: \(verdict))")

let settings = PropertyStore()
settings.declare(ThirtySettings.self, at: "settings")
try settings.apply(ThirtyValues())
var plainBinding = Measure("bind a Decodable struct of 30 values")
var binding = Measure("read a settings type of 30 settings from a new state")
var again = Measure("read it again")
for _ in 0..<11 {
    // A state keeps the value of a settings type, so each binding needs a state of its own.
    let states = try (0..<200).map { number in
        try settings.set("settings.number0", to: .integer(Int64(number % 100)))
        return settings.snapshot
    }
    plainBinding.sample(states.count) {
        states.reduce(0) { $0 &+ ((try? $1.bind(ThirtyPlain.self, at: "settings").number0) ?? -1) }
    }
    binding.sample(states.count) {
        states.reduce(0) { $0 &+ ((try? $1.settings(ThirtySettings.self).number0) ?? -1) }
    }
    again.sample(100_000) {
        (0..<100_000).reduce(0) { sum, _ in sum &+ ((try? settings.settings(ThirtySettings.self).number0) ?? -1) }
    }
}
print("Settings types")
print(line(plainBinding, to: plainBinding))
// A fifth of it makes the objects of the settings, and two fifths are the calls between the type and its decoder. 1.5 would
// need code that the compiler writes for the type, as for `Decodable`.
print(line(binding, to: plainBinding, atMost: 3))
print(line(again, to: plainBinding))

var requests = try RequestReads()
for _ in 0..<11 { requests.sample() }
requests.report()
