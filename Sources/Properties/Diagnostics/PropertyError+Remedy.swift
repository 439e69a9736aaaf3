extension PropertyError {
    /// What to do, as a sentence without its full stop. A suggestion ends with a question mark.
    ///
    /// Nil only for a conflict whose `cause` has no advice.
    public var remedy: String? {
        if let cause { return cause.remedy }
        if reason == .unknownKey { return suggested ?? "Check its spelling, or remove it" }
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
        if let (name, variable) = candidates?.variableSuggestion { return "For '\(name)', write \(variable)" }
        if let found = misspelledVariable {
            return "For '\(name)', write \(found.meant) in place of \(found.variable)"
        }
        guard let suggestion else { return nil }
        let place = reason == .missing ? history?.origin(of: PropertyKey(suggestion)) : nil
        return "Did you mean '\(suggestion)'\(place.map { " (\($0))" } ?? "")?"
    }

    /// For a missing name, the environment variable that was probably meant to set it, and the variable that would.
    private var misspelledVariable: (variable: String, meant: String)? {
        guard reason == .missing, node == nil, removal == nil else { return nil }
        guard let (variable, other) = history?.misspelledVariable(for: name) else { return nil }
        return VariableSuggestion.variable(for: name, insteadOf: variable, named: other).map { (variable, $0) }
    }
}
