extension Unmanaged {
    /// `_withUnsafeGuaranteedRef` for a part of a resolve: looks at the object with no reference counted.
    ///
    /// A call on what `takeUnretainedValue` gives counts one up and down, and a resolve makes three of them.
    ///
    /// - Parameters:
    ///   - container: who was asked, for the error's description.
    ///   - body: gets the object, which somebody else keeps alive.
    @inline(__always)
    func borrow<Result>(
        for container: Container, _ body: (Instance) throws(ResolutionError) -> Result
    ) throws(ResolutionError) -> Result {
        do {
            return try unsafe _withUnsafeGuaranteedRef { try body($0) }
        } catch {
            // The standard library's function forgets the type of what the body throws. A `Result` out of the closure, or
            // `withUnsafePointer`, would keep it, but a graph of ten services takes twice as long then.
            throw ResolutionError(of: error, path: ThreadState.current.path, in: container)
        }
    }
}
