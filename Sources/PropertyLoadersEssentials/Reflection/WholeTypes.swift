/// Which values stay whole although they may have stored properties of their own.
enum WholeTypes {
    /// The modules whose types are values to their users: what a URL, a date or a range stores is nobody's property.
    private static let modules: Set<Substring> = [
        "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Distributed", "RegexBuilder",
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "CoreFoundation", "Dispatch", "System", "SystemPackage", "ObjectiveC", "CoreGraphics",
        "__C",
    ]

    /// Whether a value is one of them.
    static func contain(_ value: Any) -> Bool {
        // A raw value stands for the whole: an OptionSet, a key, an identifier.
        if value is any RawRepresentable || value is StoredClosure { return true }
        // The state of an actor is its own: reading it from outside would be a race.
        if value is any Actor { return true }
        return declare(type(of: value))
    }

    /// Whether one of the modules declares a type. (A type in an extension of theirs says so in front of the module.)
    static func declare(_ type: Any.Type) -> Bool {
        modules.contains(String(reflecting: type).prefix { $0 != "." })
    }
}
