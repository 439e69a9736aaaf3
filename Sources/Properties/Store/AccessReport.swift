import SharedState
import Synchronization

/// How often a property was read, and what the reads returned.
public struct PropertyAccess: Sendable {
    /// The flat name, or nil for reads of all properties at once.
    public let name: String?
    /// The number of reads.
    public private(set) var count = 0
    /// The number of reads that found no value.
    public private(set) var missing = 0
    /// The number of reads that failed, since the value is wrong, or missing although it is required.
    public private(set) var failures = 0
    /// The defaults that reads took in place of a missing value, in the order of their first use, as text. At most 8.
    public private(set) var defaults: [String] = []
    /// The readers, sorted. For a container these are the services whose factories read the property. At most 8.
    public private(set) var readers: [String] = []

    /// The maximum number of defaults and of readers of one name.
    private static let limit = 8

    init(name: String?) { self.name = name }

    mutating func add(_ outcome: ReadOutcome, by reader: String?) {
        count += 1
        switch outcome {
        case .value: break
        case .missing(let fallback):
            missing += 1
            if let fallback, defaults.count < Self.limit, !defaults.contains(fallback) { defaults.append(fallback) }
        case .failed(let isMissing):
            failures += 1
            if isMissing { missing += 1 }
        }
        guard let reader, readers.count < Self.limit, !readers.contains(reader) else { return }
        readers.insert(reader, at: readers.firstIndex { reader.precedes($0) } ?? readers.count)
    }
}

extension PropertyAccess: CustomStringConvertible {
    /// `server.port: 3 reads by Server, 2 without a value, default 8080`, with control characters escaped.
    public var description: String {
        var parts = [count == 1 ? "1 read" : "\(count) reads"]
        if !readers.isEmpty { parts[0] += " by \(readers.joined(separator: " and "))" }
        if missing > 0 { parts.append("\(missing) without a value") }
        if !defaults.isEmpty { parts.append("default \(defaults.joined(separator: " and "))") }
        if failures > 0 { parts.append("\(failures) failed") }
        return PrintableText.escaped("\(name ?? "all properties"): \(parts.joined(separator: ", "))")
    }
}

/// The result of a read in an access report.
enum ReadOutcome {
    case value
    /// No source has a value. The text is that of the default that the reader got, if the store knows it.
    case missing(default: String?)
    case failed(isMissing: Bool)
}

/// Counts the reads of a store, and of all stores above and below it, while an access report is on.
final class AccessCounter: Sendable {
    private struct State {
        var counts: [PropertyKey?: PropertyAccess] = [:]
        var reader: @Sendable () -> String? = { nil }
    }

    /// The maximum number of names, which bounds the memory if a service computes names.
    private static let limit = 10_000

    private let isRunning = Atomic(false)
    private let state = Guarded(State())

    /// Whether reads are counted.
    var isOn: Bool { isRunning.load(ordering: .relaxed) }

    /// Starts to count from zero. Returns whether the counter was off.
    func start(_ reader: @escaping @Sendable () -> String?) -> Bool {
        exchange(State(reader: reader))
        return !isRunning.exchange(true, ordering: .relaxed)
    }

    /// Stops counting. Returns whether the counter was on.
    func stop() -> Bool { isRunning.exchange(false, ordering: .relaxed) }

    /// Counts a read.
    func add(_ key: PropertyKey?, _ outcome: @autoclosure () -> ReadOutcome) {
        guard isOn else { return }
        // No lock is held while the reader's function and the description of a default run.
        let reader = state.withLock { $0.reader }()
        let outcome = outcome()
        state.withLock { state in
            if state.counts[key] == nil {
                guard state.counts.count < Self.limit else { return }
                state.counts[key] = PropertyAccess(name: key?.rawValue)
            }
            state.counts[key]?.add(outcome, by: reader)
        }
    }

    /// The counts, sorted by name. Reads of all properties are first.
    var accesses: [PropertyAccess] {
        state.withLock { Array($0.counts.values) }.ordered { one, other in
            guard let name = one.name, let next = other.name else { return one.name == nil && other.name != nil }
            return name.precedes(next)
        }
    }

    private func exchange(_ new: State) {
        // The old function is released outside of the lock, because that may run a user's deinit.
        _ = state.withLock { state in
            defer { state = new }
            return state
        }
    }
}

extension MergedState {
    /// Returns the text of a default, masked if the key or the property is secret.
    func text(default value: Any, of key: PropertyKey, isSecret: Bool) -> String {
        isSecret || self.isSecret(key.rawValue, nil) ? ValueText.mask : PropertyValue.text(source: value)
    }
}

extension PropertyStore {
    /// Starts to count the reads of this store, and of all stores above and below it, from zero.
    ///
    ///     store.startAccessReport()
    ///     defer { for access in store.accessReport { print(access) } }
    ///
    /// While a report is on, each read takes a lock. While it is off, a read only checks a flag. A report has at most
    /// 10,000 names.
    ///
    /// - Parameter reader: returns the name of the code that reads on the current thread, or nil. It must not read
    ///   properties.
    public func startAccessReport(reader: @escaping @Sendable () -> String? = { nil }) {
        record.startCounting(reader)
    }

    /// Stops the report. `accessReport` keeps what was counted.
    public func stopAccessReport() { record.stopCounting() }

    /// The properties that were read while the report was on, sorted by name.
    public var accessReport: [PropertyAccess] { record.accesses.accesses }
}
