/// A read that a service has made while it was built, which a later state must not break.
struct ReadCheck: Sendable {
    /// The name and the type of a read.
    struct ID: Hashable, Sendable {
        /// The name, or nil for all properties.
        let key: PropertyKey?
        let type: ObjectIdentifier?
    }
    let id: ID
    /// Repeats the read.
    let read: @Sendable (MergedState) throws(PropertyError) -> Void

    init(
        _ key: PropertyKey?, _ type: Any.Type, _ read: @escaping @Sendable (MergedState) throws(PropertyError) -> Void
    ) {
        (id, self.read) = (ID(key: key, type: ObjectIdentifier(type)), read)
    }

    /// Returns the error of the same read in a state, or nil.
    func problem(in state: MergedState) -> PropertyError? {
        do throws(PropertyError) { try read(state) } catch { return error }
        return nil
    }
}
