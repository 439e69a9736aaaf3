import Container

/// A value in the plain dictionary, which is the baseline of the measurements.
enum Plain {
    case integer(Int)
}

struct Reading: Sendable {
    var names: [String]
    var keys: [PropertyKey]
    let plain: [String: Plain]
    let store: PropertyStore
    let child: PropertyStore
    let container: Container

    init() throws {
        let all = (0..<100).flatMap { section in (0..<100).map { "service.section\(section).setting_\($0)" } }
        var random = Scramble()
        names = all.shuffled(using: &random)
        keys = names.map { PropertyKey($0) }
        plain = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, .integer($0)) })
        let loader = Numbers()
        store = PropertyStore()
        try store.apply(loader)
        child = PropertyStore(parent: PropertyStore(parent: store))
        try child.apply(Other())
        container = Container()
        try container.applyPropertyLoader(loader)
    }

    /// Returns the same properties with copied names, so that threads do not compete for the reference counts of
    /// strings.
    func copy() -> Reading {
        var copy = self
        copy.names = names.map { String(decoding: Array($0.utf8), as: UTF8.self) }
        copy.keys = copy.names.map { PropertyKey($0) }
        return copy
    }

    func dictionary(_ rounds: Int) -> Int {
        sum(names, rounds) { name in
            if case .integer(let value) = plain[name] { value } else { 0 }
        }
    }

    func byName(_ rounds: Int) -> Int { sum(names, rounds) { store.property($0) ?? 0 } }
    func byKey(_ rounds: Int) -> Int { sum(keys, rounds) { store.property($0) ?? 0 } }
    func fromChild(_ rounds: Int) -> Int { sum(names, rounds) { child.property($0) ?? 0 } }
    func fromContainer(_ rounds: Int) -> Int { sum(names, rounds) { container.property($0) ?? 0 } }

    @inline(__always)
    private func sum<Name>(_ names: [Name], _ rounds: Int, _ read: (Name) -> Int) -> Int {
        var sum = 0
        for _ in 0..<rounds {
            for name in names { sum &+= read(name) }
        }
        return sum
    }
}

struct Numbers: PropertyLoader {
    func load() -> PropertyLayer {
        let sections = (0..<100).map { section in
            let settings = (0..<100).map { ("setting_\($0)", PropertyValue.integer(Int64(section * 100 + $0))) }
            return ("section\(section)", PropertyValue.table(PropertyTable(settings)))
        }
        return ["service": .table(PropertyTable(sections))]
    }
}

struct Other: PropertyLoader {
    func load() -> PropertyLayer { ["other": 1] }
}

struct Scramble: RandomNumberGenerator {
    var state: UInt64 = 42
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
