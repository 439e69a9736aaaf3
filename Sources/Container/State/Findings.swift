/// What `verify()` finds while it builds services.
struct Findings {
    /// The resolves from captured containers, at most one for each service whose closures do that.
    var captures: [ResolutionError] = []
    /// What records the services that each unshared service has taken.
    var unshared: [PendingInstance] = []
}
