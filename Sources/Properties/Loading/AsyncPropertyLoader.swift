internal import SharedState

/// A type that loads properties from a source that must be awaited, such as a server.
///
/// A list of sources (`PropertySources`) may have such loaders and synchronous loaders. `Container.start` and
/// `PropertyStore.apply(awaiting:timeout:)` await them. `PropertyStore.apply(_:)` cannot, and throws an error.
///
///     struct RemoteLoader: AsyncPropertyLoader {
///         let client: Client
///
///         func load() async throws -> PropertyLayer {
///             PropertyLayer(PropertyTable(try await client.settings().map { ($0.name, .text($0.value)) }))
///         }
///
///         var changes: some AsyncSequence<Void, any Error> { client.notifications() }
///     }
public protocol AsyncPropertyLoader<Loaded>: Sendable {
    /// The result of `load()`, usually `PropertyLayer`.
    associatedtype Loaded: PropertyLayerConvertible
    /// The type of `changes`.
    associatedtype Changes: AsyncSequence = NoChanges where Changes.Element == Void

    /// Reads the source. Each call reads the source again.
    ///
    /// - Returns: the values of the source.
    /// - Throws: an error if the source cannot be read. At a start, nothing is applied then. A watcher keeps the last
    ///   layer, and tries again.
    func load() async throws -> Loaded

    /// An element for each time at which the source may have changed since the last load. By default, there is none.
    ///
    /// A watcher loads the source when the watcher begins, because the source may have changed during the start of the
    /// service. Then it begins a sequence, which it iterates until its task is cancelled. It loads the source again
    /// after each element, so a sequence should keep only the newest of several elements that the watcher has not
    /// taken. A sequence that cannot see the changes between the load and its own beginning must have an element as
    /// soon as it sees all changes, so that the watcher loads again.
    ///
    /// When the sequence ends or throws, for example because a connection is lost, the watcher begins again with a load,
    /// after a pause that doubles from 100 ms to 30 s.
    var changes: Changes { get }

    /// The last time at which the loader knew that its last layer has the contents of the source. Nil, the default, if
    /// it knows that from its loads only.
    var confirmed: ContinuousClock.Instant? { get }
}

// Without the constraint, this property would hide the property of a loader in code that does not know the loader's
// type.
extension AsyncPropertyLoader where Changes == NoChanges {
    /// A sequence without elements. No watcher loads the source again.
    public var changes: NoChanges { NoChanges() }
}

/// The changes of a source that does not report any: a sequence without elements, which ends when its task is cancelled.
public struct NoChanges: AsyncSequence, Sendable {
    fileprivate init() {}

    /// Returns an iterator.
    public func makeAsyncIterator() -> AsyncStream<Void>.Iterator { AsyncStream { _ in }.makeAsyncIterator() }
}

extension AsyncPropertyLoader {
    /// Whether the source reports its changes.
    var reportsChanges: Bool { Changes.self != NoChanges.self }

    /// Nil: only a load confirms the layer.
    public var confirmed: ContinuousClock.Instant? { nil }

    /// The name of the loader's type, which names a source that has no name.
    var typeName: String { String(describing: type(of: self)) }

    /// Returns a layer with a source. If it has none, that has the name of the loader's type.
    func named(_ layer: PropertyLayer) -> PropertyLayer {
        var layer = layer
        if layer.source == nil { layer.source = PropertySource(name: typeName) }
        return layer
    }

    /// Loads the layer. If the layer has no source, sets one with the name of the loader's type.
    ///
    /// - Parameter timeout: the time after which the load is cancelled and fails.
    /// - Returns: the layer, or an error with its place.
    func layer(within timeout: Duration) async -> Result<PropertyLayer, any Error> {
        switch await result(within: timeout, of: { named(try await load().propertyLayer) }) {
        case .success(let layer): return .success(layer)
        case .failure(let error): return .failure(LoaderFailure.located(error, typeName))
        case nil:
            return .failure(
                PropertyLoadError(
                    .unavailable, "the source was not loaded within \(timeout)",
                    at: PropertyOrigin(source: PropertySource(name: typeName)),
                    remedy: "Check that it can be reached, or allow more time"))
        }
    }
}
