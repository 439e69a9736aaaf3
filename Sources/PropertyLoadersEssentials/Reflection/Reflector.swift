internal import Properties

/// Converts a Swift value to a table, and records the path of each value in it.
///
/// The place of each node is an index into `labels`. `placed(in:)` sets the source of the nodes afterwards.
struct Reflector {
    /// The paths of all values. The place of a node is the index of its path.
    private(set) var labels: [String] = []
    private let limits: ReflectionLimits
    private let name: String
    /// The keys of the path to the current value. Elements of an array have no key.
    private var path: [String] = []
    private var depth = 0
    private var valuesLeft: Int
    // The class instances that contain the current value, with their paths. They are needed to detect cycles: an
    // instance in two properties is allowed, but not one that contains itself.
    private var holders: [ObjectIdentifier: String] = [:]

    init(name: String, limits: ReflectionLimits) {
        self.name = name
        self.limits = limits
        valuesLeft = limits.values
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
        if let plain = object as? any PlainValue {
            try count(1)
            return plain.propertyValue
        }
        if let array = object as? any AnyArray {
            return try self.array(array) ?? .opaque(OpaqueValue(unchecked: object))
        }
        if let entries = (object as? any AnyDictionary)?.entries {
            return .table(try entering(object, entries))
        }
        guard !WholeTypes.contain(object), let fields = ReflectedFields.of(object) else {
            try count(1)
            // Safe: the initializers of the loader require that the value, and all that it refers to, is `Sendable` or
            // does not change.
            return .opaque(OpaqueValue(unchecked: object))
        }
        return .table(try entering(object, fields))
    }

    private mutating func entering(
        _ instance: Any, _ fields: [ReflectedFields.Field]
    ) throws(PropertyLoadError) -> PropertyTable {
        try count(1)
        guard depth < limits.depth else {
            throw PropertyLoadError(
                .limit, "more than \(limits.depth) tables are nested here", at: here,
                remedy: "Flatten the value, or raise `depth` in the loader's limits")
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
            let place = UInt32(clamping: labels.count)
            labels.append(path.joined(separator: "."))
            guard let value = try value(of: field.value) else { continue }
            let node = PropertyNode(value, origin: PropertyOrigin(source: .unknown, place: place))
            entries.append(PropertyTable.Entry(key: field.label, node: node))
        }
        return PropertyTable(entries: entries)
    }

    private mutating func count(_ values: Int) throws(PropertyLoadError) {
        guard values <= valuesLeft else {
            throw PropertyLoadError(
                .limit, "there are more than \(limits.values) values up to here", at: here,
                remedy: "Leave out what is not a property (an instance in two places counts twice), "
                    + "or raise `values` in the loader's limits")
        }
        valuesLeft -= values
    }

    private var here: PropertyOrigin {
        guard !path.isEmpty else { return PropertyOrigin(source: PropertySource(name: name)) }
        return PropertyOrigin(
            source: PropertySource(name: name, labels: [path.joined(separator: ".")]), place: 0)
    }
}

// MARK: - Arrays

extension Reflector {
    /// Returns the array with its elements converted, or nil if an element is not a plain value. The caller then keeps
    /// the array as one opaque value, so that `[Server]` reads back as `[Server]`.
    ///
    /// Other elements, such as structs, do not become tables, since no name can refer to a property inside an array.
    private mutating func array(_ array: any AnyArray) throws(PropertyLoadError) -> PropertyValue? {
        try count(max(1, array.count))
        if let plain = array as? any PlainArray {
            return .array(plain.values.map { PropertyNode($0, origin: originOfElements) })
        }
        // Only the type of an empty array contains the type of its elements, so the array stays one value. So does an
        // array that is nested too deep.
        guard array.count > 0, depth < limits.depth else { return nil }
        depth += 1
        defer { depth -= 1 }
        var nodes: [PropertyNode] = []
        for element in array.elements {
            guard let value = try plain(element) else { return nil }
            nodes.append(PropertyNode(value, origin: originOfElements))
        }
        return .array(nodes)
    }

    /// Returns the value of an element of an array. The result is nil unless the element is a plain value, or an array or
    /// a dictionary of plain values.
    private mutating func plain(_ element: Any) throws(PropertyLoadError) -> PropertyValue? {
        // An array with optional elements stays one value. Otherwise the elements would not read back as optionals.
        if element is any AnyOptional { return nil }
        if let plain = element as? any PlainValue { return plain.propertyValue }
        if let array = element as? any AnyArray { return try self.array(array) }
        guard let dictionary = (element as? any AnyDictionary)?.entries, depth < limits.depth else { return nil }
        depth += 1
        defer { depth -= 1 }
        var entries: [PropertyTable.Entry] = []
        for (key, value) in dictionary {
            try count(1)
            guard let value = try plain(value) else { return nil }
            entries.append(PropertyTable.Entry(key: key, node: PropertyNode(value, origin: originOfElements)))
        }
        return .table(PropertyTable(entries: entries))
    }

    // Elements have the place of the array that contains them, which is the last one recorded.
    private var originOfElements: PropertyOrigin {
        PropertyOrigin(source: .unknown, place: UInt32(clamping: max(0, labels.count - 1)))
    }
}

// MARK: - Places

extension PropertyTable {
    /// Returns the table with the source of all origins in it set to `source`, at all levels.
    ///
    /// This is a separate step: a source is immutable and contains the labels, so it is created after all values.
    func placed(in source: PropertySource) -> PropertyTable {
        PropertyTable(
            entries: map { entry in
                Entry(key: entry.key, keyPlace: entry.keyPlace, node: entry.node.placed(in: source))
            })
    }
}

extension PropertyNode {
    fileprivate func placed(in source: PropertySource) -> PropertyNode {
        let value: PropertyValue =
            switch value {
            case .table(let table): .table(table.placed(in: source))
            case .array(let nodes): .array(nodes.map { $0.placed(in: source) })
            default: value
            }
        return PropertyNode(value, origin: PropertyOrigin(source: source, place: origin.place))
    }
}
