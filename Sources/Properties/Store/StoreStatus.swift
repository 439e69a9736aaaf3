import SharedState

/// What has happened to a store, for metrics and a health endpoint.
public struct StoreStatus: Sendable {
    /// The number of states that the store has published, including those of declarations.
    public let states: Int
    /// The time at which the last state was published, or nil if there is none.
    public let published: ContinuousClock.Instant?
    /// The problems of the last reload if it was refused, otherwise nil.
    public let refusal: ConfigurationErrors?
    /// The sources of the store without those of its parents, in the order in which they are merged: the name in
    /// messages, such as the path of a file, and the time at which the source was last loaded.
    public let sources: [(name: String, loaded: ContinuousClock.Instant)]
    /// The settings that have other values after a restart, sorted by name.
    public let pendingRestart: [PendingRestart]

    /// The status as a JSON object, with ages in seconds and with secrets masked.
    public var json: String {
        func age(_ time: ContinuousClock.Instant) -> PropertyValue {
            .double(((ContinuousClock.now - time) / .milliseconds(1)).rounded() / 1000)
        }
        let sources = sources.map { PropertyNode(["name": .string($0.name), "age": age($0.loaded)]) }
        let table: PropertyValue = [
            "states": .integer(Int64(states)), "age": published.map(age) ?? .null,
            "refused": refusal.map { .string("\($0)") } ?? .null, "sources": .array(sources),
            "pendingRestart": .array(pendingRestart.map { PropertyNode(.string("\($0)")) }),
        ]
        return JsonText.text(PropertyNode(table), layout: .lines)
    }
}

extension PropertyStore {
    /// What has happened to the store until now.
    public var status: StoreStatus {
        let contents = contents
        return StoreStatus(
            states: contents.revision.number, published: contents.revision.time,
            refusal: refusal.withLock { $0 },
            sources: contents.sources.map {
                (name: $0.layer.source?.description ?? $0.loader.typeName, loaded: $0.loaded)
            }, pendingRestart: current.pendingRestart)
    }
}
