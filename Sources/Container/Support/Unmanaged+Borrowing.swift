extension Unmanaged {
    /// `_withUnsafeGuaranteedRef` for code that throws: looks at the object with no reference counted.
    ///
    /// A call on what `takeUnretainedValue` gives counts one up and down, and a resolve makes three of them.
    ///
    /// - Parameter body: gets the object, which somebody else keeps alive.
    @inline(__always)
    func borrow<Result>(_ body: (Instance) throws(ResolutionError) -> Result) throws(ResolutionError) -> Result {
        do {
            return try unsafe _withUnsafeGuaranteedRef { try body($0) }
        } catch {
            // The standard library's function forgets the type of what the body throws, which is nothing else: the closure
            // above throws only what the body's type allows. A `Result` out of the closure would say so to the compiler, but
            // makes a graph of ten services twice as slow, since its type is looked up at run time.
            guard let error = error as? ResolutionError else { fatalError("\(error) is of another type") }
            throw error
        }
    }
}
