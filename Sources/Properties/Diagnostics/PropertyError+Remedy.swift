extension PropertyError {
    /// What to do, as a sentence without its full stop. A suggestion ends with a question mark.
    ///
    /// Nil only for a conflict whose `cause` has no advice.
    public var remedy: String? {
        if let cause { return cause.remedy }
        if reason == .unknownKey { return suggested ?? "Check its spelling, or remove it" }
        if isEmptyText { return "Write a value" }
        guard let node else {
            return removal == nil ? suggested ?? "Set it in a source" : "Set it here too"
        }
        if reason != .refused, let flag = node.flag { return "Write \(flag)=VALUE" }
        if node.isNull { return "Write a value in place of null" }
        // The names of the cases of an enum are in the message.
        return ownRemedy ?? (expected.begins(with: "one of ") ? "Choose one of these" : "Change the value")
    }

    /// The advice about a name that was probably meant, or nil if no name is similar.
    private var suggested: String? {
        guard let suggestion else { return nil }
        let place = reason == .missing ? history?.origin(of: PropertyKey(suggestion)) : nil
        return "Did you mean '\(suggestion)'\(place.map { " (\($0))" } ?? "")?"
    }
}
