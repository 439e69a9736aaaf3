extension Container {
    /// Resolves every registration without runtime arguments, in this container and its parents, and throws all
    /// problems.
    ///
    /// Call this method when the program starts: a missing registration then fails at the start instead of at the first
    /// request. The method builds its own instances, one of each shared service, and releases them before it returns.
    /// To exclude a service that must not be built twice, call `withoutVerification()` on its registration. A service
    /// that takes an excluded one by `require` is not verified either.
    ///
    /// - Throws: a `VerificationError` with all problems.
    public func verify() throws(VerificationError) {
        var problems: [ResolutionError] = []
        let roots = allRegistrations.filter { $0.key.hasNoArguments && $0.options.isVerified }
        Worker.withScratch {
            for root in roots.sorted(by: { $0.key.description < $1.key.description }) {
                do throws(ResolutionError) {
                    _ = try root.provide(for: Resolver(container: self, token: 0), ())
                } catch  where error.reason != .unverified {
                    problems.append(error)
                } catch {}
            }
        }
        if let error = VerificationError(problems) { throw error }
    }
}
