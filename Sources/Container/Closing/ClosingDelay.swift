import SharedState

/// The construction or the hook that has taken the longest time of a closing so far.
struct ClosingDelay {
    private let shared: SharedInstance
    var time: Duration
    /// Whether it is a construction, which had to end before the closing.
    private let isConstruction: Bool

    init(of shared: SharedInstance, time: Duration = .zero, isConstruction: Bool = false) {
        (self.shared, self.time, self.isConstruction) = (shared, time, isConstruction)
    }

    /// Returns the error of an instance that was not closed by the deadline. It differs if that instance itself has
    /// taken the time.
    func error(of late: SharedInstance, _ deadline: Deadline) -> ResolutionError {
        // A service may have several instances that are not closed, such as one that was reset and a later one.
        let other = late === shared || late.key != shared.key ? "" : isConstruction ? "a new " : "another "
        let service = "\(shared.isFormer ? "the former " : other)\(shared.key)"
        let part = "the \(isConstruction ? "construction" : "closing") of \(service)"
        return late === shared
            ? .closeFailed(late, detail: "\(part) did not end within \(deadline.text)")
            : .closeFailed(late, .notClosed, detail: "\(part) used up the \(deadline.text)")
    }
}

extension ResolutionError {
    /// The error of an instance that was not closed.
    static func closeFailed(
        _ shared: SharedInstance, _ reason: Reason = .closeFailed, _ cause: (any Error)? = nil, detail: String? = nil
    ) -> ResolutionError {
        ResolutionError(reason, path: [shared.key], cause: cause, detail: detail, isFormer: shared.isFormer)
    }
}
