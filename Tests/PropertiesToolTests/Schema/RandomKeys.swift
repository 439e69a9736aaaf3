import Foundation
import PropertyLoaders
import TestSupport

/// A random set of declared keys and settings types, and random documents for them.
struct RandomKeys {
    /// A type with a default, and texts of JSON that it accepts.
    struct Kind: Sendable {
        let declare: @Sendable (PropertyStore, _ name: String, _ isRequired: Bool, _ isSecret: Bool) -> Void
        let values: [String]
    }

    private let members: [(name: String, kind: Kind, isRequired: Bool, isSecret: Bool)]
    private let settings: [(table: String, type: RandomSettings)]
    /// The names of all keys and settings, with texts of JSON for them.
    private let fields: [(name: String, values: [String])]
    let refusesUnknownKeys: Bool

    /// Creates a random set of keys.
    init(_ random: inout SplitMix) {
        var members: [(String, Kind, Bool, Bool)] = []
        for name in Self.names where Int.random(in: 0..<4, using: &random) == 0 {
            guard let kind = Self.kinds.randomElement(using: &random) else { continue }
            members.append(
                (name, kind, Int.random(in: 0..<8, using: &random) == 0, Int.random(in: 0..<8, using: &random) == 0))
        }
        self.members = members
        settings = Self.tables.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.compactMap { table in
            RandomSettings.types.randomElement(using: &random).map { (table, $0) }
        }
        fields =
            members.map { ($0.0, $0.1.values) }
            + settings.flatMap { place in place.type.fields.map { ("\(place.table).\($0.name)", $0.values) } }
        refusesUnknownKeys = Bool.random(using: &random)
    }

    /// A store that declares the keys.
    var store: PropertyStore {
        let store = PropertyStore()
        declare(in: store)
        store.acceptUncheckedChanges()
        return store
    }

    /// Declares the keys in a store.
    func declare(in store: PropertyStore) {
        for member in members { member.kind.declare(store, member.name, member.isRequired, member.isSecret) }
        for place in settings { place.type.declare(store, place.table) }
    }

    /// Whether a name names a table of keys.
    func isTable(_ name: String) -> Bool { fields.contains { $0.name.hasPrefix(name + ".") } }

    var schema: String { store.jsonSchema(refusesUnknownKeys: refusesUnknownKeys) }

    /// Returns a random document as JSON.
    func document(_ random: inout SplitMix) -> String {
        var root = RandomTable()
        for field in fields where !chance(1, in: 5, &random) {
            // Most values are valid. Otherwise nearly all documents would have a problem.
            let values = chance(1, in: 8, &random) ? Self.values : field.values
            let value = chance(3, in: 4, &random) ? field.values.first : values.randomElement(using: &random)
            root.set(path(field.name, &random), value ?? "null")
        }
        if chance(1, in: 6, &random) {
            let name =
                (Self.names + ["other", "server.other", "x-y", "shop.other", "shop.tls.other"]).randomElement(
                    using: &random) ?? "other"
            root.set(path(name, &random), Self.values.randomElement(using: &random) ?? "null")
        }
        if chance(1, in: 10, &random) {
            let table =
                ["server", "server.tls", "log", "none", "shop", "shop.tls"].randomElement(using: &random) ?? "none"
            root.set(path(table, &random), ["null", "5", "{}", "[]", "\"a\""].randomElement(using: &random) ?? "null")
        }
        return root.json
    }

    /// Returns random values as arguments, which have no types.
    func arguments(_ random: inout SplitMix) -> [String] {
        fields.filter { _ in chance(1, in: 2, &random) }.flatMap { field -> [String] in
            let value = (field.values + Self.values).randomElement(using: &random) ?? ""
            return ["--set", "\(field.name)=\(value.trimmingPrefix("\"").trimmingSuffix("\""))"]
        }
    }

    /// Returns random values that JSON does not have, but TOML and property lists.
    func table(_ random: inout SplitMix) -> PropertyTable {
        let dates = ["2026-11-21T06:30:00Z", "2026-11-21T06:30", "2026-11-21", "06:30"]
        let values =
            dates.compactMap { PropertyDateTime($0).map { PropertyValue.dateTime($0) } } + [
                .data([1]), .data([]), .double(.nan), .double(.infinity), .double(-.infinity), .bigInteger("1"),
                .array([PropertyNode(.data([1]))]), .array([PropertyNode(.double(.nan))]),
            ]
        return PropertyTable(
            fields.filter { _ in chance(1, in: 2, &random) }.compactMap { field in
                values.randomElement(using: &random).map { (field.name, $0) }
            })
    }

    /// Returns the path of a name. Some of its parts stay joined by dots.
    private func path(_ name: String, _ random: inout SplitMix) -> [String] {
        let parts = name.split(separator: ".").map(String.init)
        guard chance(1, in: 12, &random), parts.count > 1 else { return parts }
        let place = Int.random(in: 1..<parts.count, using: &random)
        return Array(parts[..<(place - 1)]) + ["\(parts[place - 1]).\(parts[place])"] + parts[(place + 1)...]
    }

    private func chance(_ count: Int, in all: Int, _ random: inout SplitMix) -> Bool {
        Int.random(in: 0..<all, using: &random) < count
    }

    /// The tables of settings types. None of them is in a table of keys.
    private static let tables = ["shop", "x.y", "x.z"]
    private static let names = [
        "a", "b", "port", "server.port", "server.host", "server.timeout", "server.tls.cert", "server.tls.depth",
        "server.tls",
        "log.level", "log.sinks", "deep.er.and.deeper", "api", "limits",
    ]
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : String(self)
    }
}

/// A table of texts of JSON.
private struct RandomTable {
    private var values: [(key: String, value: String?, table: [RandomTable])] = []

    mutating func set(_ path: [String], _ value: String) {
        guard let key = path.first else { return }
        let index = values.firstIndex { $0.key == key } ?? values.count
        if path.count == 1 {
            if index == values.count { values.append((key, value, [])) } else { values[index] = (key, value, []) }
            return
        }
        var inner = index < values.count ? values[index].table.first ?? RandomTable() : RandomTable()
        inner.set(Array(path.dropFirst()), value)
        if index == values.count { values.append((key, nil, [inner])) } else { values[index] = (key, nil, [inner]) }
    }

    var json: String {
        let members = values.map { "\(JsonString.quoted($0.key)): \($0.value ?? $0.table.first?.json ?? "null")" }
        return "{\(members.joined(separator: ", "))}"
    }
}

// MARK: - Types

enum RandomLevel: String, CaseIterable, Sendable { case debug, info, warning }
enum RandomSize: Int, CaseIterable, Sendable { case small = 1, large = 300 }
enum RandomSign: String, CaseIterable, Sendable { case plus = "+", minus = "-" }

extension RandomKeys {
    private static func kind<Value: Sendable>(_ value: Value, _ values: String...) -> Kind {
        Kind(
            declare: { store, name, isRequired, isSecret in
                store.declare(
                    isRequired
                        ? TypedKey<Value>(name, isSecret: isSecret) : TypedKey(name, default: value, isSecret: isSecret)
                )
            }, values: values)
    }

    private static func kind<Value: Comparable & Sendable>(
        _ value: Value, in range: some RangeExpression<Value> & Sendable, _ values: String...
    ) -> Kind {
        Kind(
            declare: { store, name, isRequired, isSecret in
                let expected = name.hasSuffix("port") ? "a port" : nil
                store.declare(
                    isRequired
                        ? TypedKey<Value>(name, in: range, isSecret: isSecret, expected: expected)
                        : TypedKey(name, default: value, in: range, isSecret: isSecret, expected: expected))
            }, values: values)
    }

    static let kinds: [Kind] = [
        kind(1, "1", "3.0", "1e3", "-0.0", "\"1\"", "9007199254740993", "9007199254740992.0"),
        kind(Int8(1), "127", "128", "-128", "-129", "1.0"), kind(UInt8(1), "0", "255", "256", "-1"),
        kind(Int64(1), "9223372036854775807", "9223372036854775808"),
        kind(UInt64(1), "18446744073709551615", "18446744073709551616", "-1", "0"),
        kind(Int128(1), "18446744073709551616", "1e30", "-18446744073709551616"),
        kind(8080, in: 1...65535, "1", "0", "65535", "65536", "80.0"), kind(5, in: 1..<10, "9", "10", "9.5"),
        kind(5, in: (-3)..., "-3", "-4"), kind(5, in: ...9, "9", "10"), kind(5, in: ..<9, "9", "8"),
        kind(Int128(5), in: 0...Int128(UInt64.max) * 4, "73786976294838206460", "73786976294838206461", "-1"),
        kind(1.5, "1", "1.5", "9007199254740993", "1e300", "\"1.5\""),
        kind(0.5, in: 0...1, "0", "1", "1.0000001", "-0.1"), kind(0.5, in: 0..<1, "1", "0.9999"),
        kind(Float(1.5), "0.1", "1e39", "16777217", "16777216"),
        kind(Float(0.3), in: 0.1...0.5, "0.1", "0.09999999999", "0.0999999", "0.5", "0.50000001", "0.5000001"),
        kind(Float(0.3), in: 0.1..<0.5, "0.49999999999", "0.4999999"),
        kind(Decimal(1), "19.99", "0.1", "123456789012345678901234567890", "1e200", "\"1\""),
        kind(
            Decimal(1), in: Decimal(0)...Decimal(UInt64.max) * 10, "184467440737095516150", "184467440737095516151",
            "18446744073709551615.0", "-1"),
        kind(Float(1), in: (-Float.greatestFiniteMagnitude)..., "-3.4028235e38", "-3.40282352e38", "-3.5e38"),
        kind(Decimal(1), in: Decimal(0)...Decimal(10), "0", "10", "10.5", "-0.1"),
        kind(true, "true", "false", "\"true\"", "1"), kind("x", "\"a\"", "\"\"", "5", "\"2026-11-21\""),
        kind("b", in: "a"..."c", "\"b\"", "\"d\"", "\"\""),
        kind(Duration.seconds(1), "\"1s\"", "\"1m30s\"", "\"2\"", "2", "\"-5ms\"", "\"PT1M\"", "\"1us\"", "\"1µs\""),
        kind(
            Duration.seconds(1), in: .milliseconds(10)..., "\"10ms\"", "\"1ms\"", "\"9.999ms\"", "\"P1D\"", "2",
            "\"0.01s\""),
        kind(
            URL(fileURLWithPath: "/"), "\"https://example.com/a?b=c#d\"", "\"not a url\"", "\"foo\"", "\"\"",
            "\"http://[::1]:80/\"", "\"mailto:a@b\"", "\"http://h/%20\"", "\"%\""),
        kind(
            Date(timeIntervalSinceReferenceDate: 0), "\"2026-11-21T06:30:00Z\"", "\"2026-11-21 06:30+01:00\"",
            "\"2026-11-21\"", "\"2026-02-30T00:00:00Z\"", "\"2026-11-21t06:30:00.123456z\""),
        kind(
            Date(timeIntervalSinceReferenceDate: 0), in: Date(timeIntervalSinceReferenceDate: 0)...,
            "\"2026-11-21T06:30:00Z\"", "\"1999-11-21T06:30:00Z\""),
        kind(Data([1]), "\"aGk=\"", "\"aGk\"", "\"\"", "\"a b=\""),
        kind(RandomLevel.info, "\"debug\"", "\"info\"", "\"inof\"", "\"DEBUG\"", "5"),
        kind(RandomSize.small, "1", "300", "1.0", "2", "\"1\""), kind(RandomSign.plus, "\"+\"", "\"-\"", "\"*\"", "5"),
        kind([1], "[1, 2]", "[]", "[1, \"a\"]", "[null]", "1", "[1.0]"), kind([UInt8](), "[255]", "[256]", "[1, -1]"),
        kind([[1]], "[[1], [2, 3]]", "[[1], 2]", "[[1], [\"a\"]]", "[]"),
        kind([RandomLevel.info], "[\"debug\"]", "[\"debug\", \"loud\"]", "[5]"),
        kind([Duration.zero], "[\"1s\"]", "[\"1s\", 2]", "[\"2\"]"), kind([Int?](), "[1, null]", "[null, \"a\"]"),
        kind(["a": 1], "{\"a\": 1}", "{\"a\": \"x\"}", "{\"a\": null}", "{}", "5", "{\"a.b\": 1}"),
        kind([1: "a"], "{\"1\": \"a\"}", "{\"x\": \"a\"}", "{\"x\": null}"),
        kind(["a": [RandomLevel.info]], "{\"a\": [\"debug\"]}", "{\"a\": [\"x\"]}", "{\"a\": \"info\"}"),
        kind([["a": 1]], "[{\"a\": 1}]", "[{\"a\": 1}, {\"a\": true}]"),
        kind(Int?.some(1), "1", "\"a\"", "null"), kind(PropertyNode(1), "1", "{\"a\": 1}", "[null]"),
    ]

    /// Values for keys of any type.
    static let values = [
        "null", "true", "0", "1", "-1", "2.5", "3.0", "300", "1e3", "1e30", "\"\"", "\"a\"", "\"info\"", "\"2\"",
        "\"1s\"", "\"1ms\"", "\"not a url\"", "\"https://example.com\"", "\"2026-11-21\"", "\"2026-11-21T06:30:00Z\"",
        "\"aGk=\"", "[]", "[1]", "[\"a\"]", "[[1]]", "[null]", "[\"info\"]", "[\"1s\"]", "{}", "{\"a\": 1}",
        "{\"a\": null}", "{\"1\": \"a\"}", "{\"a\": [\"info\"]}", "{\"port\": 1}",
    ]
}
