/// The stored properties of one value, with the names that they have in the source code.
struct ReflectedFields {
    /// A property's name and value.
    typealias Field = (label: String, value: Any)

    /// Returns the properties, those of superclasses first, or nil if the value shows none.
    static func of(_ value: Any) -> [Field]? {
        let mirror = Mirror(reflecting: value)
        guard hasProperties(mirror, value) else { return nil }
        var fields: [Field] = []
        for level in levels(of: mirror) {
            // A type's own mirror is made by compiled code, which converts closures.
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
        // A type's own mirror has no style unless the type sets one.
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
        guard label.hasPrefix("_"), label.utf8.count > 1, var content = wrappedValue(of: child.value) else {
            return (label, child.value)
        }
        // `@A @B var x` is an A of a B of x. The limit ends a wrapper that wraps itself.
        for _ in 1..<maximumOfWrappers {
            guard let inner = wrappedValue(of: content) else { break }
            content = inner
        }
        return (String(label.dropFirst()), content)
    }

    private static let lazyPrefix = "$__lazy_storage_$_"

    // The greatest number of wrappers on one property.
    private static let maximumOfWrappers = 8

    // An element without a label is `.0`. The dot goes, since it separates the elements of a path.
    private static func tupleLabel(_ label: String) -> String {
        label.hasPrefix(".") ? String(label.dropFirst()) : label
    }

    /// Returns the stored `wrappedValue` of a property wrapper. Reflection cannot read a computed one.
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

/// The types whose values are not tables although they may have stored properties.
enum WholeTypes {
    /// The modules whose types are values to their users: the stored properties of a URL, a date or a range are private.
    private static let modules: Set<Substring> = [
        "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Distributed", "RegexBuilder",
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "CoreFoundation", "Dispatch", "System", "SystemPackage", "ObjectiveC", "CoreGraphics",
        "__C",
    ]

    /// Whether a value is one of them.
    static func contain(_ value: Any) -> Bool {
        // A raw value represents the whole value: an OptionSet, a key, an identifier.
        if value is any RawRepresentable || value is StoredClosure { return true }
        // Reading the state of an actor from outside would be a data race.
        if value is any Actor { return true }
        return declare(type(of: value))
    }

    /// Whether one of the modules declares a type. (The reflected name of a type in an extension begins otherwise.)
    static func declare(_ type: Any.Type) -> Bool {
        modules.contains(String(reflecting: type).prefix { $0 != "." })
    }
}

/// The value of a stored property whose type is a function, in place of the closure.
///
/// The closure in a stored property has the calling convention of its type, while a closure in an `Any` must have the most
/// general one. `Mirror` does not convert between the two: casting its closure back and calling it corrupts memory (seen
/// with Swift 6.3.1). So the closure is replaced, and the description of its replacement tells why it cannot be read.
/// Closures in an array, a dictionary or an enum have the general convention.
struct StoredClosure: Sendable, CustomStringConvertible {
    var description: String { "a closure that reflection cannot read" }

    /// Returns the value of a stored property, or the replacement of a closure.
    static func inPlace(of value: Any) -> Any {
        if value is any PlainValue { return value }
        var content = value
        while let optional = content as? any AnyOptional {
            guard let inner = optional.content else { return value }
            content = inner
        }
        return isFunction(content) ? StoredClosure() : value
    }

    // Only functions, metatypes and types with their own mirror have no style.
    private static func isFunction(_ value: Any) -> Bool {
        !(value is any CustomReflectable) && !(value is Any.Type) && Mirror(reflecting: value).displayStyle == nil
    }
}
