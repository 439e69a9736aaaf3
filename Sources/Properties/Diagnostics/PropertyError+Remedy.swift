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
            let others = expected == Self.declaredOrRead ? Self.waysToAllow : ", or remove it"
            return suggested ?? history?.option(like: name).map { "Did you mean --\($0)?" }
                ?? "Check its spelling" + (origin == nil ? "" : others)
        }
        if reason == .brokenRule { return parts.involved.count > 1 ? "Change one of them" : "Change it" }
        if parts.isEmptyText { return "Write a value" }
        guard let node else {
            return removal == nil ? parts.remedy ?? suggested ?? setting : "Set it here too"
        }
        if reason != .refused, let flag = node.flag { return "Write \(flag)=VALUE" }
        // Only under a wrong key is a null not parsable.
        if node.isNull, reason != .notParsable { return "Write a value in place of null" }
        if isSecret, node.value.isBlank { return "Write a value" }
        if let flaw = parts.flaw { return flaw.remedy }
        return parts.remedy ?? impliedRemedy(for: node)
    }

    /// Whether an unknown key was probably meant for a known name.
    var isMisspelt: Bool { (history?.spelling(of: name) ?? suggested) != nil }

    /// The warning that an unknown name, which may be a variable of another program, is probably a misspelt known name.
    /// Nil if no known name is similar.
    package var warningAboutSpelling: PropertyLoadError? {
        guard let origin, let meant = history?.spelling(of: name) ?? suggested else { return nil }
        let written = history?.written(name, inSourceOf: name) ?? "'\(name)'"
        return PropertyLoadError(
            .ignored, "\(written) is ignored, because nothing has this name", at: origin, remedy: meant)
    }

    /// The expectation of a key outside of the tables of settings.
    static let declaredOrRead = "a key that is declared, or read by a service"
    private static let waysToAllow =
        ", or remove it. The developer can declare it, or allow it by unknownKeys: .ignored"

    /// The advice that follows from the kind of the value and from what was expected. It shows no more than the rest of
    /// the message, so it is right for a secret, too.
    private func impliedRemedy(for node: PropertyNode) -> String {
        // The names of the cases of an enum are in the message.
        if expected.begins(with: "one of ") { return "Choose one of these" }
        guard reason == .wrongType else { return "Change the value" }
        let isTable = expected.isSame(as: "a table") || expected.begins(with: "a table ")
        let isArray = expected.isSame(as: "an array") || expected.begins(with: "an array ")
        switch node.value {
        case .data(let bytes) where bytes.contains(0): return "Remove the NUL byte, which no text has"
        case .data(let bytes) where !ValueText.flaw(of: bytes).isEmpty: return "Write it in UTF-8"
        case .text where isTable: return "Write a JSON object: {\"key\": \"value\"}"
        case .table where isTable: return "Change the value"
        case _ where isTable: return "Write a table in its place"
        // The keys are probably numbers, as in APP_HOSTS__0.
        case .table(let table) where isArray && table.isOfText:
            return "Write the whole list as JSON: [{\"key\": \"value\"}]"
        case .table where expected.isSame(as: "an array of tables"):
            return "Put it into an array: [[…]] in TOML, [{…}] in JSON"
        case .table where isArray: return "Write an array in its place"
        // Such as APP_PORT__X, or the file port.bak among secrets.
        case .table(let table) where table.isOfText:
            return "Remove it, or correct its name, which is longer than the setting's"
        default: return "Change the value"
        }
    }

    /// The advice to set a missing value, in every way that the sources in use allow.
    private var setting: String {
        // An element of an array has no flat name.
        if path.utf8.contains(UInt8(ascii: "[")) { return "Add it to this table" }
        let shown = BoundedList(history?.waysToSet(name) ?? [], limit: Self.shownWays)
        var ways = shown.elements
        if shown.rest > 0 { ways.append("in \(shown.rest.grouped) more sources") }
        return "Set it \(ways.isEmpty ? "in a source" : EnglishText.alternatives(ways))"
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

extension PropertyTable {
    /// Whether the first value in the table, at any depth, is text of an untyped source.
    fileprivate var isOfText: Bool {
        switch first?.node.value {
        case .table(let inner): inner.isOfText
        case .text: true
        default: false
        }
    }
}
