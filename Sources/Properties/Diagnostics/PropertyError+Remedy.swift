import TextBasics

extension PropertyError {
    /// The remedy, as a sentence without its full stop. A suggestion ends with a question mark.
    ///
    /// Nil only for a conflict whose `cause` has no advice.
    public var remedy: String? {
        if let cause { return cause.remedy }
        if reason == .unknownKey {
            // The requested name is in no source.
            if origin != nil, let spelling = history?.spelling(of: name) { return spelling }
            return suggested ?? (origin == nil ? "Check its spelling" : "Check its spelling, or remove it")
        }
        if reason == .brokenRule { return involved.count > 1 ? "Change one of them" : "Change it" }
        if isEmptyText { return "Write a value" }
        guard let node else {
            return removal == nil ? suggested ?? setting : "Set it here too"
        }
        if reason != .refused, let flag = node.flag { return "Write \(flag)=VALUE" }
        if node.isNull { return "Write a value in place of null" }
        if let flaw { return flaw.remedy }
        // The names of the cases of an enum are in the message.
        return ownRemedy ?? (expected.begins(with: "one of ") ? "Choose one of these" : "Change the value")
    }

    /// The advice to set a missing value, in every way that the sources in use allow.
    private var setting: String {
        // An element of an array has no flat name.
        if path.utf8.contains(UInt8(ascii: "[")) { return "Add it to this table" }
        let shown = BoundedList(history?.waysToSet(name) ?? [], limit: Self.shownWays)
        var ways = shown.elements
        if shown.rest > 0 { ways.append("in \(shown.rest.grouped) more sources") }
        switch ways.count {
        case 0: return "Set it in a source"
        case 1: return "Set it \(ways[0])"
        case 2: return "Set it \(ways[0]) or \(ways[1])"
        default: return "Set it \(ways.dropLast().joined(separator: ", ")), or \(ways[ways.count - 1])"
        }
    }

    /// The maximum number of ways to set a missing value in a message.
    private static let shownWays = 8

    /// The advice about a name that was probably meant, or nil if no name is similar.
    private var suggested: String? {
        guard let suggestion else { return nil }
        if reason == .unknownKey, path.isEmpty, let written = history?.written(suggestion, inSourceOf: name) {
            return "Did you mean \(written)?"
        }
        let place = reason == .missing ? history?.origin(of: PropertyKey(suggestion)) : nil
        return "Did you mean '\(suggestion)'\(place.map { " (\($0))" } ?? "")?"
    }
}
