extension Container {
    /// Resolves every registration without runtime arguments, here and in the parents, and throws all problems.
    ///
    /// Call it when a program starts, so that a missing registration fails then and not at the first request. It makes
    /// separate instances, one of each shared service, and releases them at its end. Exclude services that must not be
    /// made twice with `withoutVerification()`; a service that takes one of those by `require` is not verified either.
    ///
    /// - Throws: a `VerificationError` with all problems, each with its path.
    public func verify() throws(VerificationError) {
        var problems: [ResolutionError] = []
        let roots = allRegistrations.filter { $0.key.hasNoArguments && $0.options.isVerified }
        ThreadState.withScratch {
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
