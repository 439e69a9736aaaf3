/// Reads the stored properties of a value, with their names in the source code.
struct ReflectedFields {
    /// A property's name and value.
    typealias Field = (label: String, value: Any)

    /// Returns the stored properties, superclasses first, or nil if reflection shows none.
    static func of(_ value: Any) -> [Field]? {
        let mirror = Mirror(reflecting: value)
        guard hasProperties(mirror, value) else { return nil }
        var fields: [Field] = []
        for level in levels(of: mirror) {
            // The children of a custom mirror may be closures, because compiled code has converted them to `Any`.
            let isCustom = value is any CustomReflectable
            // If a subclass has a property with the same name as a private property of a superclass, the property of
            // the subclass is used.
            fields += level.children.enumerated().compactMap { index, child in
                isCustom || !isClosure(child.value) ? field(child, index, in: level) : nil
            }
        }
        return fields
    }

    private static func hasProperties(_ mirror: Mirror, _ value: Any) -> Bool {
        switch mirror.displayStyle {
        case .struct, .class, .tuple, .dictionary: break
        // A custom mirror has a display style only if the type sets one.
        case nil where value is any CustomReflectable: break
        default: return false
        }
        return levels(of: mirror).contains { !$0.children.isEmpty }
    }

    private static func levels(of mirror: Mirror) -> [Mirror] {
        var levels = [mirror]
        var next = mirror.superclassMirror
        while let level = next, !WholeTypes.declare(level.subjectType) {
            levels.append(level)
            next = level.superclassMirror
        }
        return levels.reversed()
    }

    private static func field(_ child: Mirror.Child, _ index: Int, in mirror: Mirror) -> Field? {
        // A noncopyable value, such as a Mutex, reflects as Void.
        if child.value is Void { return nil }
        guard let label = child.label else { return (String(index), child.value) }
        if mirror.displayStyle == .tuple { return (tupleLabel(label), child.value) }
        if label.hasPrefix(lazyPrefix) { return (String(label.dropFirst(lazyPrefix.count)), child.value) }
        guard label.hasPrefix("_"), label.utf8.count > 1, let content = wrappedValue(of: child.value) else {
            return (label, child.value)
        }
        return (String(label.dropFirst()), content)
    }

    private static let lazyPrefix = "$__lazy_storage_$_"

    // The label of a tuple element without a name is `.0`. The dot is removed, because dots separate the parts of a
    // path.
    private static func tupleLabel(_ label: String) -> String {
        label.hasPrefix(".") ? String(label.dropFirst()) : label
    }

    /// Returns the stored `wrappedValue` of a property wrapper. Reflection cannot read a computed `wrappedValue`.
    private static func wrappedValue(of value: Any) -> Any? {
        guard !WholeTypes.contain(value), !(value is any AnyOptional), !(value is any AnyDictionary) else { return nil }
        let mirror = Mirror(reflecting: value)
        for level in levels(of: mirror).reversed() {
            for child in level.children {
                guard child.label == "wrappedValue" || child.label == lazyPrefix + "wrappedValue" else { continue }
                return value is any CustomReflectable || !isClosure(child.value) ? child.value : nil
            }
        }
        return nil
    }

    /// Whether the value of a stored property is a closure or a metatype, which are left out.
    ///
    /// The closure in a stored property has the calling convention of its type, while a closure in an `Any` must have
    /// the most general convention. `Mirror` does not convert between the two: casting its closure back and calling it
    /// corrupts memory (seen with Swift 6.3.1). Closures in an array, a dictionary or an enum have the general
    /// convention.
    private static func isClosure(_ value: Any) -> Bool {
        if let optional = value as? any AnyOptional { return optional.content.map(isClosure) ?? false }
        // The display style of a mirror is nil only for functions, metatypes, and types with a custom mirror.
        return !(value is any CustomReflectable) && Mirror(reflecting: value).displayStyle == nil
    }
}

/// The types whose values become one value and not a table, although they may have stored properties.
enum WholeTypes {
    /// The modules whose types become one value, because their stored properties are implementation details, for
    /// example in a URL, a date or a range.
    private static let modules: Set<Substring> = [
        "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Distributed", "RegexBuilder",
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "CoreFoundation", "Dispatch", "System", "SystemPackage", "ObjectiveC", "CoreGraphics",
        "__C",
    ]

    /// Whether the type of a value makes it a single value instead of a table.
    static func contain(_ value: Any) -> Bool {
        // An option set, an identifier or another `RawRepresentable` value is fully described by its raw value.
        if value is any RawRepresentable { return true }
        // Reading the state of an actor from outside would be a data race.
        if value is any Actor { return true }
        return declare(type(of: value))
    }

    /// Whether one of the modules declares a type. A type that another module declares in an extension does not match,
    /// since its reflected name begins with "(extension in".
    static func declare(_ type: Any.Type) -> Bool {
        modules.contains(String(reflecting: type).prefix { $0 != "." })
    }
}
