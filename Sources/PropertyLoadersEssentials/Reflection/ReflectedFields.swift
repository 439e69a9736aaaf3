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
