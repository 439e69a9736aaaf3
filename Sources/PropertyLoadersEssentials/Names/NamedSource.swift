/// A loader that knows what its source is called before it is loaded.
///
/// Printed or dumped, a loader shows that and nothing that it holds, since any of it may be secret.
protocol NamedSource {
    var sourceName: String { get }
}

extension Mirror {
    /// The description alone.
    init(describing subject: some CustomStringConvertible) {
        self.init(subject, children: ["description": subject.description])
    }
}
