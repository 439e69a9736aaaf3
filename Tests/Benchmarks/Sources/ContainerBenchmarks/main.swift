import Container
import Measuring

// swift run -c release --package-path Tests/Benchmarks ContainerBenchmarks

let container = Container.benchmark()
let names = (0..<100).map { "api.key.number\($0)" }
let plain = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Plain.integer($0)) })
let holders = [Holder()]
let count = 100_000

var base = Measure("Dictionary<String, enum>")
var hit = Measure("singleton hit")
var asyncHit = Measure("singleton hit with await")
var transient = Measure("transient with one dependency")
var graph = Measure("graph of ten services")
var sharing = Sharing()
var copy = Measure("copy of a strong reference, one thread")
var copyTwo = Measure("copy of a strong reference, two threads")
var hitTwo = Measure("singleton hit, two threads")
var hitOne = Measure("singleton hit, one thread")
var requests = Requests()
var following = Following()

@inline(__always)
func times(_ count: Int, _ body: () -> Void) -> Int {
    for _ in 0..<count { body() }
    return count
}

/// Stores the last two results of the body, because the optimizer removes a copy that is not stored.
@inline(__always)
func copies(_ count: Int, _ body: () -> Single?) -> Int {
    var held: [Single?] = [nil, nil]
    for index in 0..<count { held[index & 1] = body() }
    consume(held)
    return count
}

for _ in 0..<11 {
    base.sample(count) { times(count / 100) { for name in names { consume(plain[name]) } } }
    hit.sample(count) { times(count) { consume(container.resolve(Single.self)) } }
    asyncHit.sample(
        count,
        async: { [container] in
            for _ in 0..<count { consume(try? await container.require(async: Single.self)) }
            return count
        })
    transient.sample(count / 10) { times(count / 10) { consume(container.resolve(Branch.self)) } }
    graph.sample(count / 100) { times(count / 100) { consume(container.resolve(Node<P9>.self)) } }
    sharing.sample()
    requests.sample()
    try following.sample()
    hitOne.sample(count) { [container] in copies(count) { container.resolve(Single.self) } }
    copy.sample(count) { [holders] in copies(count) { holders[0].single } }
    // Takes many short samples in turns, because the cost of a cache line that two processors share varies over time.
    for _ in 0..<9 {
        copyTwo.sample(count, threads: 2) { [holders] _ in copies(count) { holders[0].single } }
        hitTwo.sample(count, threads: 2) { [container] _ in copies(count) { container.resolve(Single.self) } }
    }
}

print("Resolving, as ratios to a bare dictionary")
print(line(base, to: base))
print(line(hit, to: base, atMost: 1.4))
print(line(asyncHit, to: base, atMost: 3))
// Half of these would need references that nobody counts: those of a request, of its resolver, and of its frame, which a
// task may keep.
print(line(transient, to: base, atMost: 24))
print(line(graph, to: base, atMost: 190))

sharing.report(hit: hit, graph: graph)
requests.report()
following.report()

let speedUps = (copy: 2 * copy.median / copyTwo.median, hit: 2 * hitOne.median / hitTwo.median)
// If the machine has only one free core, the threads run in turns, and no copy waits for the other thread's copy.
if copyTwo.median >= 2 * copy.median {
    let verdict = speedUps.hit >= 0.9 * speedUps.copy ? "ok" : "MISSED"
    print(
        "\nTwo threads: hits \(hundredths(speedUps.hit)) times as fast as on one, copies of a reference "
            + "\(hundredths(speedUps.copy))  (limit 0.9 of it: \(verdict))")
} else {
    print("\nThe threads did not run at the same time: run it again")
}
