import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Templates of random settings types")
struct RandomTemplateTests {
    /// The number of random settings types, which the environment variable `TEMPLATE_TYPES` changes.
    private static let rounds =
        ProcessInfo.processInfo.environment["TEMPLATE_TYPES"].flatMap { Int($0) } ?? LongRun.rounds(200)

    @Test("Without the marks of its assignments, a template has exactly the defaults, for random settings types")
    func defaults() throws {
        var random = SplitMix(state: 36), types = Set<ObjectIdentifier>()
        var assignments = 0, examples = 0
        while types.count < Self.rounds {
            let type = RandomType.make(depth: Int.random(in: 0...2, using: &random), &random)
            guard types.insert(ObjectIdentifier(type)).inserted else { continue }
            let counts = try compare(type, &random)
            assignments += counts.assignments
            examples += counts.examples
        }
        #expect(assignments > types.count * 3)
        #expect(examples > types.count / 2)
    }

    /// Compares the values in force with and without a template, and loads its examples.
    ///
    /// - Returns: the numbers of its assignments and examples.
    private func compare(
        _ type: any Settings.Type, _ random: inout SplitMix
    ) throws -> (assignments: Int, examples: Int) {
        func declared() -> PropertyStore {
            let store = PropertyStore()
            store.declare(type, at: "settings")
            return store
        }
        let empty = declared(), loaded = declared(), another = declared()
        let names = (0..<3).map { "key\($0).\(String.sample(&random))" }
        for (index, name) in names.enumerated() where !name.hasSuffix(".") && !name.contains("..") {
            for store in [empty, loaded, another] { store.declare(TypedKey<String>(name, default: "\(index)")) }
        }
        let template = empty.template()
        let lines = template.split(separator: "\n", omittingEmptySubsequences: false)
        let isAssignment = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
        let text = zip(lines, isAssignment).map { $1 ? String($0.dropFirst()) : String($0) }.joined(separator: "\n")
        // The template itself sets nothing.
        try declared().apply(TomlPropertyLoader(string: template, name: "template"))
        try loaded.apply(TomlPropertyLoader(string: text, name: "template"))
        let problems = problems(of: loaded).filter { $0.reason != .missing }
        #expect(problems.isEmpty, "\(problems)\n\(template)")
        let (before, after) = (empty.values, loaded.values)
        #expect(before.map(\.json) == after.map(\.json), "\(template)")
        #expect(before.map(\.name) == after.map(\.name))
        // The entries of the settings in a value belong to the key of that value.
        let keys = loaded.declaredKeys.map(\.key.rawValue)
        func key(of entry: PropertyEntry) -> PropertyKey {
            let outer = keys.filter { key in ["", ".", "["].contains { (entry.name + " ").begins(with: key + $0) } }
            return PropertyKey(outer.max { $0.utf8.count < $1.utf8.count } ?? entry.name)
        }
        let assigned = Set(after.filter { "\($0.node.origin)" != "default" }.map(key))
        let fromDefault = after.filter { "\($0.node.origin)" == "default" && !assigned.contains(key(of: $0)) }
        // Only what has no assignment: a default that contains settings is a Swift value.
        #expect(
            fromDefault.allSatisfy { $0.isSecret || $0.json == "null" || Self.isOpaque($0.node.value) },
            "\(fromDefault)\n\(template)")
        #expect(assigned.count == isAssignment.count { $0 })
        try expectExamples(of: lines, in: another, template)
        return (isAssignment.count { $0 }, lines.count { $0 == "# For example:" })
    }

    private static func isOpaque(_ value: PropertyValue) -> Bool {
        if case .opaque = value { true } else { false }
    }

    /// Loads the examples of a template, without its assignments. Only required settings may be missing.
    private func expectExamples(of lines: [Substring], in store: PropertyStore, _ template: String) throws {
        let text = lines.compactMap { line in
            line.hasPrefix("#   ") ? line.dropFirst(4) : line.hasPrefix("#") ? nil : line
        }
        store.acceptUncheckedChanges()
        try store.apply(TomlPropertyLoader(string: text.joined(separator: "\n"), name: "template"))
        let problems = problems(of: store).filter { $0.reason != .missing }
        #expect(problems.isEmpty, "\(problems)\n\(template)")
    }

    private func problems(of store: PropertyStore) -> [PropertyError] {
        do throws(ConfigurationErrors) {
            try store.verify(unknownKeys: .refused)
            return []
        } catch {
            return error.problems.compactMap { $0.error as? PropertyError }
        }
    }
}

// MARK: - Random settings types

/// A type with random values.
private protocol Sample: Decodable & Sendable { static func sample(_ random: inout SplitMix) -> Self }

extension Int: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Int { .random(in: .min ... .max, using: &random) }
}
extension UInt8: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> UInt8 { .random(in: 0...255, using: &random) }
}
extension UInt64: Sample {
    // TOML has no greater ones.
    fileprivate static func sample(_ random: inout SplitMix) -> UInt64 {
        .random(in: 0...UInt64(Int64.max), using: &random)
    }
}
extension Bool: Sample { fileprivate static func sample(_ random: inout SplitMix) -> Bool { .random(using: &random) } }
extension Double: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Double {
        let bits = Double(bitPattern: random.next())
        return Bool.random(using: &random) ? (bits.isNaN ? 0.1 : bits) : Double(Int.random(in: -9...9, using: &random))
    }
}
extension Float: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Float { Float.random(in: -1e6...1e6, using: &random) }
}
extension String: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "B", "1", "\"", "\\", "\n", "\u{0}", "é", "😀", "#", ".", "'", " ", "\u{7F}",
        ]
        let count = Int.random(in: 0...6, using: &random)
        return (0..<count).reduce(into: "") { text, _ in
            text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
        }
    }
}
extension Duration: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Duration {
        .milliseconds(Int.random(in: 0...100_000_000, using: &random))
    }
}
extension Date: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: 0...2_000_000_000, using: &random)))
    }
}
extension Data: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Data {
        Data((0..<Int.random(in: 0...9, using: &random)).map { _ in .random(in: 0...255, using: &random) })
    }
}
extension TemplateTests.Level: Sample, Decodable {
    fileprivate static func sample(_ random: inout SplitMix) -> Self { Bool.random(using: &random) ? .debug : .info }
}
extension Array: Sample where Element: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> [Element] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in Element.sample(&random) }
    }
}
extension Dictionary: Sample where Key == String, Value: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> [String: Value] {
        let count = Int.random(in: 0...3, using: &random)
        return (0..<count).reduce(into: [:]) { table, number in
            table["\(number)\(String.sample(&random).replacing(".", with: ""))"] = Value.sample(&random)
        }
    }
}
extension Optional: Sample where Wrapped: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Wrapped? {
        Bool.random(using: &random) ? nil : Wrapped.sample(&random)
    }
}

/// A settings type with settings of two types and two tables. What is random about it follows from its name, so that
/// all its values are declared alike.
private struct RandomType<One: Sample, Other: Sample, Upper: Settings, Lower: Settings>: Settings {
    @Setting var one: One
    @Setting var other: Other
    var upper: Upper
    var lower: Lower

    init() {
        var random = SplitMix(
            state: "\(Self.self)".utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
        _one = RandomType.setting("one", &random)
        _other = RandomType.setting("other", &random)
        (upper, lower) = (Upper(), Lower())
    }

    private static func setting<Value: Sample>(_ name: String, _ random: inout SplitMix) -> Setting<Value> {
        let key = name + String.sample(&random).replacing(".", with: "")
        let isSecret = Int.random(in: 0..<5, using: &random) == 0
        if Int.random(in: 0..<5, using: &random) == 0 {
            return Setting("A \(name)\nvalue", key: key, isSecret: isSecret)
        }
        return Setting(wrappedValue: Value.sample(&random), key: key, isSecret: isSecret)
    }
}

extension RandomType: Sample {
    fileprivate static func sample(_ random: inout SplitMix) -> Self { Self() }
}

private struct NoSettings: Settings {}

extension RandomType where One == Int, Other == Int, Upper == NoSettings, Lower == NoSettings {
    private static var samples: [any Sample.Type] {
        [
            Int.self, UInt8.self, UInt64.self, Bool.self, Double.self, Float.self, String.self, Duration.self,
            Date.self,
            Data.self, TemplateTests.Level.self, [Int].self, [String].self, [[Bool]].self, [String: Double].self,
            [String: [String]].self, Int?.self, String?.self, [Duration]?.self,
        ]
    }

    /// Returns a random type.
    static func make(depth: Int, _ random: inout SplitMix) -> any Settings.Type {
        func sample() -> any Sample.Type {
            if depth > 0, Int.random(in: 0..<4, using: &random) == 0, let inner = table() as? any Sample.Type {
                return [list(inner), dictionary(inner), optional(inner)].randomElement(using: &random) ?? Int.self
            }
            return samples.randomElement(using: &random) ?? Int.self
        }
        func table() -> any Settings.Type { depth == 0 ? NoSettings.self : make(depth: depth - 1, &random) }
        return type(sample(), sample(), table(), table())
    }

    private static func list<T: Sample>(_: T.Type) -> any Sample.Type { [T].self }
    private static func dictionary<T: Sample>(_: T.Type) -> any Sample.Type { [String: T].self }
    private static func optional<T: Sample>(_: T.Type) -> any Sample.Type { T?.self }

    private static func type<A: Sample, B: Sample, C: Settings, D: Settings>(
        _: A.Type, _: B.Type, _: C.Type, _: D.Type
    ) -> any Settings.Type { RandomType<A, B, C, D>.self }
}
