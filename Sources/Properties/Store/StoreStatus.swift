import SharedState
import Synchronization

/// The status of a store, for metrics and a health endpoint.
public struct StoreStatus: Sendable {
    /// The number of states that the store has published, including the states of declarations.
    public let states: Int
    /// The time at which the last state was published, or nil if there is none.
    public let published: ContinuousClock.Instant?
    /// The problems of the last reload if it was refused, otherwise nil.
    public let refusal: ConfigurationErrors?
    /// The time of the first of the refused reloads in succession, or nil if the last reload was not refused.
    public let refusedSince: ContinuousClock.Instant?
    /// The number of the refused reloads in succession.
    public let refusals: Int
    /// The time of the last reload that was not refused, or nil if there was none.
    public let reloaded: ContinuousClock.Instant?
    /// The sources of the store without its parents, in the order of the merge.
    public let sources: [Source]
    /// The settings that have other values after a restart, sorted by name.
    public let pendingRestart: [PendingRestart]

    /// A source of a store.
    public struct Source: Sendable {
        /// The name in messages, such as the path of a file.
        public let name: String
        /// The last time at which the source was known to have the values of the store, or nil if it was never read, as
        /// after a start with a copy. A reload of other sources does not change it.
        public let confirmed: ContinuousClock.Instant?
        /// The last error of the source since then; nil if it could be read. It is set only for a source that must be
        /// awaited. If another source cannot be read, `refusal` has the error.
        public let failure: Failure?
    }

    /// The failure of a source.
    public struct Failure: Sendable {
        /// The last error.
        public let error: ConfigurationErrors
        /// The time of the first of the errors in succession.
        public let since: ContinuousClock.Instant
    }

    /// The status as a JSON object, with ages in seconds and with secrets masked. Only a source that cannot be read
    /// has `failure` and `failing`, the age of the failure. `refusing` and `reloaded` are the ages of `refusedSince` and
    /// `reloaded`.
    public var json: String {
        func age(_ time: ContinuousClock.Instant) -> PropertyValue {
            .double(((ContinuousClock.now - time) / .milliseconds(1)).rounded() / 1000)
        }
        let sources = sources.map { source in
            var pairs = [("name", PropertyValue.string(source.name)), ("age", source.confirmed.map(age) ?? .null)]
            if let failure = source.failure {
                pairs += [("failure", .string("\(failure.error)")), ("failing", age(failure.since))]
            }
            return PropertyNode(.table(PropertyTable(pairs)))
        }
        let table: PropertyValue = [
            "states": .integer(Int64(states)), "age": published.map(age) ?? .null,
            "refused": refusal.map { .string("\($0)") } ?? .null, "refusals": .integer(Int64(refusals)),
            "refusing": refusedSince.map(age) ?? .null, "reloaded": reloaded.map(age) ?? .null,
            "sources": .array(sources),
            "pendingRestart": .array(pendingRestart.map { PropertyNode(.string("\($0)")) }),
        ]
        return JsonText.text(PropertyNode(table), layout: .lines)
    }
}

/// The outcomes of the reloads of a store.
struct ReloadRecord: Sendable {
    private(set) var refusal: ConfigurationErrors?
    private(set) var refusedSince: ContinuousClock.Instant?
    private(set) var refusals = 0
    private(set) var reloaded: ContinuousClock.Instant?

    /// Adds a reload.
    ///
    /// - Parameter new: its problems if it was refused, otherwise nil.
    mutating func add(_ new: ConfigurationErrors?) {
        refusal = new
        guard new != nil else { return (refusedSince, refusals, reloaded) = (nil, 0, .now) }
        (refusedSince, refusals) = (refusedSince ?? .now, refusals + 1)
    }
}

extension PropertyStore {
    /// The status of the store at this time.
    public var status: StoreStatus {
        let contents = contents, record = reloads.withLock { $0 }
        return StoreStatus(
            states: contents.revision.count, published: contents.revision.time, refusal: record.refusal,
            refusedSince: record.refusedSince, refusals: record.refusals, reloaded: record.reloaded,
            sources: contents.sources.map { source in
                let freshness = (source.loader as? AwaitedSource)?.freshness ?? (source.loaded, nil)
                return StoreStatus.Source(
                    name: source.layer.given.source?.description ?? source.loader.typeName, confirmed: freshness.0,
                    failure: freshness.1)
            }, pendingRestart: current.pendingRestart)
    }
}
