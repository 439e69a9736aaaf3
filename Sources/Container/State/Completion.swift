/// The completions of one instance, which run after the factories of the resolve have returned.
struct Completion {
    let registration: Registration
    let instance: StoredInstance
    /// The container of the resolver that the completions get.
    let container: Container
    let graph: Graph
    /// What has asked for the instance.
    let parent: Frame?

    var frame: Frame { Frame(registration, for: container, in: graph, after: parent, .completion) }
}
