/// A service that the container closes.
///
/// When the container is closed, or the scope of the instance is reset, the container calls `close()` of each instance
/// that it shares. A registration with `onClose` closes its instances by that closure instead. Instances of the
/// `.transient`, `.graph` and weak scopes are not closed.
///
/// A conformance cannot be isolated to an actor, so that the container finds each one. The method itself can be.
public protocol Closeable: SendableMetatype {
    /// Closes the service. It may be synchronous or asynchronous.
    ///
    /// If it does not return by the deadline, its task is cancelled and the container does not wait for it any longer.
    func close() async throws
}
