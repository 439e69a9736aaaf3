extension Container {
    /// Builds every registration that needs no arguments, those of the parents included, and throws all problems.
    ///
    /// Call it when a service starts, so that a missing registration fails then and not at the first request. The
    /// instances are thrown away: shared ones are built anew, once for all of them, and nobody else gets them.
    /// Leave out what must not be built twice with `withoutVerification()`; what needs that is passed over too, as far
    /// as it takes it by `require`.
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
