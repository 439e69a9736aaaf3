/// Converts a Swift value to a table.
struct Reflector {
    /// The maximum depth of nested tables. Each level needs about 4 KiB of stack.
    static let depthLimit = 64
    /// The maximum number of values. An instance in two places counts twice.
    private static let valueLimit = 50_000

    private let name: String
    private let identity: String?
    /// The keys of the path to the current value. Elements of an array have no key.
    private var path: [String] = []
    private var depth = 0
    private var values = 0
    // The class instances that contain the current value, with their paths. They are needed to detect cycles: an
    // instance in two properties is allowed, but an instance that contains itself is not.
    private var holders: [ObjectIdentifier: String] = [:]

    init(name: String, identity: String?) {
        (self.name, self.identity) = (name, identity)
    }

    /// Returns the table of a value. Throws an error if the value does not become a table.
    mutating func table(of instance: Any) throws(PropertyLoadError) -> PropertyTable {
        let value = try value(of: instance)
        if case .table(let table) = value { return table }
        // At the top level, a struct or class without stored properties is an empty table. Inside of another value, it
        // becomes one opaque value.
        let style = Mirror(reflecting: instance).displayStyle
        if value != nil, !WholeTypes.contain(instance), style == .struct || style == .class { return PropertyTable() }
        throw PropertyLoadError(
            .notATable,
            value == nil ? "the value is nil" : "`\(type(of: instance))` is one value with no properties inside",
            at: here, expected: "a struct, a class, a tuple or a dictionary with string keys",
            remedy: "Put it into a struct, whose property gives it a name")
    }

    /// Returns the property value of a Swift value. Returns nil for a nil optional, which is skipped.
    private mutating func value(of object: Any) throws(PropertyLoadError) -> PropertyValue? {
        if let optional = object as? any AnyOptional {
            guard let content = optional.content else { return nil }
            return try value(of: content)
        }
        try count()
        if let settings = object as? any Settings { return try placed(PropertyValue(settings: settings)) }
        if let plain = PropertyValue(plain: object) { return plain }
        if let array = object as? any AnyArray, let value = try self.array(array) { return value }
        if let entries = (object as? any AnyDictionary)?.entries { return .table(try entering(object, entries)) }
        if !WholeTypes.contain(object), let fields = ReflectedFields.of(object) {
            return .table(try entering(object, fields))
        }
        // Safe: the initializers of the loader require that the value, and all that it refers to, is `Sendable` or does
        // not change.
        return .opaque(OpaqueValue(unchecked: object))
    }

    private mutating func entering(
        _ instance: Any, _ fields: [ReflectedFields.Field]
    ) throws(PropertyLoadError) -> PropertyTable {
        guard depth < Self.depthLimit else {
            throw PropertyLoadError(
                .limit, "more than \(Self.depthLimit) tables are nested here", at: here, remedy: "Flatten the value")
        }
        depth += 1
        defer { depth -= 1 }
        let identity = type(of: instance) is AnyClass ? ObjectIdentifier(instance as AnyObject) : nil
        if let identity {
            if let holder = holders[identity] {
                throw PropertyLoadError(
                    .cycle,
                    "the `\(type(of: instance))` here is also "
                        + (holder.isEmpty ? "the top value" : "`\(holder)`") + ", which contains it",
                    at: here, expected: "values that do not contain themselves",
                    remedy: "Load a value without this reference, or leave it out of the type's `customMirror`")
            }
            holders[identity] = path.joined(separator: ".")
        }
        defer { if let identity { holders[identity] = nil } }
        var entries: [PropertyTable.Entry] = []
        for field in fields {
            path.append(field.label)
            defer { path.removeLast() }
            guard let value = try value(of: field.value) else { continue }
            entries.append(PropertyTable.Entry(key: field.label, node: PropertyNode(value, origin: here)))
        }
        return PropertyTable(entries: entries)
    }

    /// Returns the value of a settings type with the path of each setting as its origin. Settings that are nil are left
    /// out.
    private mutating func placed(_ settings: PropertyValue) throws(PropertyLoadError) -> PropertyValue {
        guard case .table(let table) = settings else { return settings }
        var entries: [PropertyTable.Entry] = []
        for var entry in table {
            if case .null = entry.node.value { continue }
            try count()
            path.append(entry.key)
            defer { path.removeLast() }
            let isSecret = entry.node.origin.source.isSecret
            entry.node = PropertyNode(try placed(entry.node.value), origin: origin(isSecret: isSecret))
            entries.append(entry)
        }
        return .table(PropertyTable(entries: entries))
    }

    private mutating func count() throws(PropertyLoadError) {
        values += 1
        guard values <= Self.valueLimit else {
            throw PropertyLoadError(
                .limit, "there are more than \(Self.valueLimit) values up to here", at: here,
                remedy: "Leave out what is not a property (an instance in two places counts twice)")
        }
    }

    /// The origin of the current value: the name of the source and the path.
    private var here: PropertyOrigin { origin(isSecret: false) }

    private func origin(isSecret: Bool) -> PropertyOrigin {
        let labels = path.isEmpty ? [] : [path.joined(separator: ".")]
        return PropertyOrigin(
            source: PropertySource(name: name, identity: identity, labels: labels, isSecret: isSecret), place: 0)
    }
}

// MARK: - Arrays

extension Reflector {
    /// Returns the array with its elements converted, or nil if an element is not a plain value. The caller then keeps
    /// the array as one opaque value, so that `[Server]` reads back as `[Server]`.
    ///
    /// Other elements, such as structs, do not become tables, since no name can refer to a property inside an array.
    private mutating func array(_ array: any AnyArray) throws(PropertyLoadError) -> PropertyValue? {
        let elements = array.elements
        // Only the type of an empty array contains the type of its elements, so the array stays one value. So does an
        // array that is nested too deep.
        guard !elements.isEmpty || type(of: array).hasPlainElements, depth < Self.depthLimit else { return nil }
        depth += 1
        defer { depth -= 1 }
        let origin = here
        var nodes: [PropertyNode] = []
        for element in elements {
            guard let value = try plain(element) else { return nil }
            nodes.append(PropertyNode(value, origin: origin))
        }
        return .array(nodes)
    }

    /// Returns the value of an element of an array. The result is nil unless the element is a plain value, or an array or
    /// a dictionary of plain values.
    private mutating func plain(_ element: Any) throws(PropertyLoadError) -> PropertyValue? {
        // An array with optional elements stays one value. Otherwise the elements would not read back as optionals.
        if element is any AnyOptional { return nil }
        try count()
        if let plain = PropertyValue(plain: element) { return plain }
        if let array = element as? any AnyArray { return try self.array(array) }
        guard let dictionary = (element as? any AnyDictionary)?.entries, depth < Self.depthLimit else { return nil }
        depth += 1
        defer { depth -= 1 }
        let origin = here
        var entries: [PropertyTable.Entry] = []
        for (key, value) in dictionary {
            guard let value = try plain(value) else { return nil }
            entries.append(PropertyTable.Entry(key: key, node: PropertyNode(value, origin: origin)))
        }
        return .table(PropertyTable(entries: entries))
    }
}
