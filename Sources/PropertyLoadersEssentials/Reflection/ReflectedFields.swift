/// The stored properties of one value, under the names that the source code gave them.
struct ReflectedFields {
    /// A property's name and value.
    typealias Field = (label: String, value: Any)

    /// The properties, those of superclasses first; nil where the value has none to show.
    static func of(_ value: Any) -> [Field]? {
        let mirror = Mirror(reflecting: value)
        guard hasProperties(mirror, value) else { return nil }
        var fields: [Field] = []
        for level in levels(of: mirror) {
            // The children of a mirror that the type makes itself come from compiled code, which knows their form.
            let isCustom = value is any CustomReflectable
            let own = level.children.enumerated().compactMap { index, child in
                field(isCustom ? child : (child.label, StoredClosure.inPlace(of: child.value)), index, in: level)
            }
            // A subclass's property hides a private one of its superclass with the same name.
            let hidden = fields.isEmpty ? [] : Set(own.map(\.label))
            fields.removeAll { hidden.contains($0.label) }
            fields += own
        }
        return fields
    }

    private static func hasProperties(_ mirror: Mirror, _ value: Any) -> Bool {
        switch mirror.displayStyle {
        case .struct, .class, .tuple, .dictionary: break
        // A mirror that a type makes itself has no style where the type names none.
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
        // What cannot be copied, such as a Mutex, reflects as Void.
        if child.value is Void { return nil }
        guard let label = child.label else { return (String(index), child.value) }
        if mirror.displayStyle == .tuple { return (tupleLabel(label), child.value) }
        if label.hasPrefix(lazyPrefix) { return (String(label.dropFirst(lazyPrefix.count)), child.value) }
        guard label.hasPrefix("_"), label.utf8.count > 1, var content = wrappedValue(of: child.value) else {
            return (label, child.value)
        }
        // `@A @B var x` is an A of a B of x. A wrapper that wraps itself goes on for ever.
        for _ in 1..<maximumOfWrappers {
            guard let inner = wrappedValue(of: content) else { break }
            content = inner
        }
        return (String(label.dropFirst()), content)
    }

    private static let lazyPrefix = "$__lazy_storage_$_"

    // How many wrappers one property has at most.
    private static let maximumOfWrappers = 8

    // An element with no label of its own is `.0`; a dot would make two elements of a path of it.
    private static func tupleLabel(_ label: String) -> String {
        label.hasPrefix(".") ? String(label.dropFirst()) : label
    }

    /// What a property wrapper wraps: its stored `wrappedValue`. (A computed one cannot be reached by reflection.)
    private static func wrappedValue(of value: Any) -> Any? {
        guard !WholeTypes.contain(value), !(value is any AnyOptional), !(value is any AnyDictionary) else { return nil }
        let mirror = Mirror(reflecting: value)
        for level in levels(of: mirror).reversed() {
            for child in level.children {
                guard child.label == "wrappedValue" || child.label == lazyPrefix + "wrappedValue" else { continue }
                return value is any CustomReflectable ? child.value : StoredClosure.inPlace(of: child.value)
            }
        }
        return nil
    }
}

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

/// What stands in the place of a closure that a stored property holds.
///
/// A property of a function type holds its closure in the form for calls with just those types, while a closure in an
/// `Any` must have the form for calls with types unknown. `Mirror` does not convert: who casts the closure back and calls
/// it corrupts memory (seen with Swift 6.3.1). So nobody gets it; the property is there, and says why it cannot be read.
/// In an array, a dictionary or an enum closures have the right form.
struct StoredClosure: Sendable, CustomStringConvertible {
    var description: String { "a closure that reflection cannot read" }

    /// The value of a stored property, or what stands in its place.
    static func inPlace(of value: Any) -> Any {
        if value is any PlainValue { return value }
        var content = value
        while let optional = content as? any AnyOptional {
            guard let inner = optional.content else { return value }
            content = inner
        }
        return isFunction(content) ? StoredClosure() : value
    }

    // Functions and metatypes alone have no style; so has what makes its own mirror.
    private static func isFunction(_ value: Any) -> Bool {
        !(value is any CustomReflectable) && !(value is Any.Type) && Mirror(reflecting: value).displayStyle == nil
    }
}
