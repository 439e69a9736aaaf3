import Properties
import TestSupport
import Testing

/// One setting of a type: its flat name and its value in the type, as text; and the same, read by name from the store
/// alone.
private struct ModelSetting<T: Sendable>: Sendable {
    let name: String
    let bound: @Sendable (T) -> String
    /// The text of the value in a store, by the rules of single properties. Nil if it is wrong or missing.
    let read: @Sendable (PropertyStore) -> String?

    init<Value: Sendable>(
        _ name: String, _ path: @escaping @Sendable (T) -> Value, default value: Value? = nil, isOptional: Bool = false,
        is check: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.name = name
        bound = { "\(path($0))" }
        read = { store in
            do {
                // Empty text is nil for an optional, and does not satisfy a required setting.
                let isEmpty = (store.property(name) as PropertyNode?).map { ModelValue($0.value) == .text("") } ?? false
                if isEmpty, isOptional || value == nil { return value.map { "\($0)" } }
                guard let found = try store.property(name, default: nil as Value?) else { return value.map { "\($0)" } }
                return check(found) ? "\(found)" : nil
            } catch {
                return nil
            }
        }
    }
}

/// The settings of the samples, each with its name, type, default and check, written by hand.
private enum ModelTypes {
    static let tls: [ModelSetting<TLSSettings>] = [
        .init("certificate", \.certificate, default: "/etc/tls/server.pem"),
        .init("minimumVersion", \.minimumVersion, default: 1.2),
    ]
    static let server: [ModelSetting<ServerSettings>] = [
        .init("server.port", \.port, default: 8080) { (1...65535).contains($0) },
        .init("server.host", \.host, default: "0.0.0.0"),
        .init("server.timeout", \.timeout, default: .seconds(30)) { $0 >= .milliseconds(10) },
        .init("server.signingKey", \.signingKey),
        .init("server.mode", { $0.mode.map { "\($0)" } ?? "none" }, default: "none", isOptional: true) {
            ["fast", "safe"].contains($0)
        },
        .init("server.tls.certificate", \.tls.certificate, default: "/etc/tls/server.pem"),
        .init("server.tls.minimumVersion", \.tls.minimumVersion, default: 1.2),
    ]
    static let pool: [ModelSetting<PoolSettings>] = [
        .init("a.b.size", \.size, default: 4) { (1...64).contains($0) },
        .init("a.b.load", \.load, default: 0.5) { $0 < 1 },
        .init("a.b.limit", { $0.limit ?? -1 }, default: -1, isOptional: true) { (1...10).contains($0) },
        .init("a.b.names", \.names, default: ["a"]) { !$0.isEmpty },
    ]
    static let account: [ModelSetting<AccountSettings>] = [
        .init("account.user", \.user), .init("account.password", \.password),
        .init("account.level", \.level) { (1..<100).contains($0) },
    ]
    static let proxy: [ModelSetting<ProxySettings>] = [
        .init("proxy.max_connections", \.maxConnections, default: 10) { $0 >= 1 },
        .init("proxy.log-level", { "\($0.logLevel)" }, default: "safe") { ["fast", "safe"].contains($0) },
        .init("proxy.headers", \.headers, default: [:]),
        .init("proxy.base_tls.certificate", \.baseTLS.certificate, default: "/etc/tls/server.pem"),
        .init("proxy.base_tls.minimumVersion", \.baseTLS.minimumVersion, default: 1.2),
    ]
    static let deep: [ModelSetting<DeepSettings>] = [
        .init("proxy.max_connections", \.proxy.maxConnections, default: 10) { $0 >= 1 },
        .init("proxy.base_tls.minimumVersion", \.proxy.baseTLS.minimumVersion, default: 1.2),
        .init("pool.size", \.pool.size, default: 4) { (1...64).contains($0) },
        .init("pool.names", \.pool.names, default: ["a"]) { !$0.isEmpty },
    ]
}

/// Writes random sources with values for some of the settings. Most have the right types.
private struct RandomSource {
    static let values: [PropertyValue] = [
        0, 1, 7, 64, 65, 8080, 70000, -1, 0.25, 1.5, 7.0, "x", "fast", "10ms", "1ms", "30s", true, nil,
        ["a"], [], ["k": "v"], ["k.v": "w"], [1], .text("7"), .text("0.5"), .text("fast"), .text("2s"), .text(""),
    ]

    static func layers(_ names: [String], _ random: inout SplitMix) -> [Literal] {
        (0..<Int.random(in: 1...3, using: &random)).map { number in
            var entries: [(String, PropertyValue)] = []
            for name in names where Int.random(in: 0..<3, using: &random) > 0 {
                entries.append((name, values.randomElement(using: &random) ?? 0))
            }
            // Now and then, a value or a null replaces a whole table.
            if Int.random(in: 0..<8, using: &random) == 0, let name = names.randomElement(using: &random) {
                let table = name.split(separator: ".").dropLast().joined(separator: ".")
                let value: PropertyValue = Bool.random(using: &random) ? nil : [:]
                entries = entries.filter { !$0.0.hasPrefix(table) } + [(table, value)]
            }
            var layer = Literal("source \(number)", merge: Bool.random(using: &random) ? .deep : .firstLevel, [:])
            layer.table = PropertyTable(entries)
            return layer
        }
    }
}

@Suite("A settings type agrees with single reads of its settings by name")
struct SettingsModelTests {
    private func compare<T: Settings>(
        _ type: T.Type, at table: String?, _ settings: [ModelSetting<T>], _ seed: UInt64
    ) throws -> Int {
        var random = SplitMix(state: seed)
        let store = PropertyStore()
        for layer in RandomSource.layers(settings.map(\.name), &random) { try store.apply(layer) }
        store.declare(type, at: table)
        let expected = settings.map { $0.read(store) }
        let wrong = zip(settings, expected).filter { $0.1 == nil }.map(\.0.name).sorted()
        let verified = Result { try store.verify(unknownKeys: .ignored) }
        do throws(ConfigurationErrors) {
            let value = try store.settings(type, at: table)
            #expect(settings.map { $0.bound(value) } == expected, "seed \(seed): \(store.entriesText)")
            #expect(throws: Never.self) { try verified.get() }
            return 1
        } catch {
            let names = Set(error.found.map { String($0.name.prefix { $0 != "[" }) })
            #expect(names.sorted() == wrong, "seed \(seed): \(error)\n\(store.entriesText)")
            let check = #expect(throws: ConfigurationErrors.self) { try verified.get() }
            // Those of one place are in the order of the type, and not sorted by name.
            #expect(check?.found.map(\.description).sorted() == error.found.map(\.description).sorted())
            return 0
        }
    }

    @Test("Under random reloads, settings that need a restart keep the values of the start, and all others do not")
    func restarts() throws {
        let settings: [ModelSetting<BootSettings>] = [
            .init("server.port", \.port, default: 8080) { (1...65535).contains($0) },
            .init("server.key", { $0.key ?? "none" }, default: "none", isOptional: true),
            .init("server.labels", \.labels, default: [:]),
            .init("server.timeout", \.timeout, default: 30),
        ]
        let kept: Set = ["server.port", "server.key", "server.labels"], names = settings.map(\.name)
        var kinds = [0, 0, 0]
        for seed in 0..<UInt64(LongRun.rounds(60)) {
            var random = SplitMix(state: seed)
            let sources = [Changing("a"), Changing("b")], store = PropertyStore(), plain = PropertyStore()
            store.declare(BootSettings.self, at: "server")
            func change() {
                for source in sources { source.set(RandomSource.layers(names, &random)[0].table) }
            }
            change()
            while (try? store.start(sources)) == nil { change() }
            try plain.apply(sources)
            let start = settings.map { $0.read(plain) }
            for _ in 0..<6 {
                change()
                try plain.reload()
                let new = settings.map { $0.read(plain) }
                let isRefused = (try? store.reload()) == nil
                #expect(isRefused == new.contains(nil), "seed \(seed): \(plain.entriesText)")
                if isRefused {
                    kinds[0] += 1
                    continue
                }
                let values = settings.indices.map { kept.contains(names[$0]) ? start[$0] : new[$0] }
                let bound = try store.settings(BootSettings.self)
                #expect(settings.map { $0.bound(bound) } == values, "seed \(seed): \(store.entriesText)")
                #expect(settings.map { $0.read(store) } == values, "seed \(seed): \(store.entriesText)")
                let changed = settings.indices.filter { start[$0] != new[$0] }.map { names[$0] }
                let pending = changed.filter { kept.contains($0) }.sorted()
                #expect(store.status.pendingRestart.map(\.name) == pending, "seed \(seed): \(plain.entriesText)")
                kinds[pending.isEmpty ? 1 : 2] += 1
            }
        }
        #expect(kinds.allSatisfy { $0 > 5 }, "\(kinds)")
    }

    @Test("In random stacks of sources, with the same values, defaults and errors")
    func model() throws {
        var good = 0
        for seed in 0..<UInt64(LongRun.rounds(80)) {
            good += try compare(TLSSettings.self, at: nil, ModelTypes.tls, seed)
            good += try compare(ServerSettings.self, at: "server", ModelTypes.server, seed)
            good += try compare(PoolSettings.self, at: "a.b", ModelTypes.pool, seed)
            good += try compare(AccountSettings.self, at: "account", ModelTypes.account, seed)
            good += try compare(ProxySettings.self, at: "proxy", ModelTypes.proxy, seed)
            good += try compare(DeepSettings.self, at: nil, ModelTypes.deep, seed)
        }
        // Both kinds of outcomes are frequent.
        #expect((20...400).contains(good) || LongRun.isRequested, "\(good)")
    }
}
