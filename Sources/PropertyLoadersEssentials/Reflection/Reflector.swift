internal import Properties

/// Turns a Swift value into a table, and keeps the path of each value in it.
///
/// The places of what it makes are indexes into `labels`; their source is not there yet.
struct Reflector {
    /// The path of each value, by its place.
    private(set) var labels: [String] = []
    private let limits: ReflectionLimits
    private let name: String
    /// The keys that lead to the present value; the elements of an array have none.
    private var path: [String] = []
    private var depth = 0
    private var valuesLeft: Int
    // The instances around the present value and their paths: one that comes again makes a circle, while one that is
    // shared by two properties does not.
    private var holders: [ObjectIdentifier: String] = [:]

    init(name: String, limits: ReflectionLimits) {
        self.name = name
        self.limits = limits
        valuesLeft = limits.values
    }

    /// The table of a value that must be one.
    mutating func table(of instance: Any) throws(PropertyLoadError) -> PropertyTable {
        let value = try value(of: instance)
        if case .table(let table) = value { return table }
        // A struct with nothing stored is a configuration with nothing in it; within one it is a value.
        let style = Mirror(reflecting: instance).displayStyle
        if value != nil, !WholeTypes.contain(instance), style == .struct || style == .class { return PropertyTable() }
        throw PropertyLoadError(
            .notATable,
            value == nil ? "the value is nil" : "`\(type(of: instance))` is one value with no properties inside",
            at: here, expected: "a struct, a class, a tuple or a dictionary with string keys",
            remedy: "Put it into a struct, whose property gives it a name")
    }

    /// The property value of a Swift value, or nil for what is skipped.
    private mutating func value(of object: Any) throws(PropertyLoadError) -> PropertyValue? {
        if let optional = object as? any AnyOptional {
            guard let content = optional.content else { return nil }
            return try value(of: content)
        }
        let instance = (object as? any BridgedObject)?.bridgedValue ?? object
        if let plain = instance as? any PlainValue {
            try count(1)
            return plain.propertyValue
        }
        if let array = instance as? any AnyArray {
            return try self.array(array) ?? .opaque(OpaqueValue(unchecked: instance))
        }
        if let entries = (instance as? any AnyDictionary)?.entries {
            return .table(try entering(object, entries))
        }
        guard !WholeTypes.contain(instance), let fields = ReflectedFields.of(instance) else {
            try count(1)
            // Safe: the loader's initializer has the caller's word for the instance and all that it holds.
            return .opaque(OpaqueValue(unchecked: instance))
        }
        return .table(try entering(instance, fields))
    }

    private mutating func entering(
        _ instance: Any, _ fields: [ReflectedFields.Field]
    ) throws(PropertyLoadError) -> PropertyTable {
        try count(1)
        guard depth < limits.depth else {
            throw PropertyLoadError(
                .limit, "more than \(limits.depth) tables stand inside each other here", at: here,
                remedy: "Flatten the value, or raise `depth` in the loader's limits")
        }
        depth += 1
        defer { depth -= 1 }
        let identity = type(of: instance) is AnyClass ? ObjectIdentifier(instance as AnyObject) : nil
        if let identity {
            if let holder = holders[identity] {
                throw PropertyLoadError(
                    .cycle,
                    "the `\(type(of: instance))` here is the one that holds it, "
                        + (holder.isEmpty ? "the whole" : "`\(holder)`"),
                    at: here, expected: "values that do not hold themselves",
                    remedy: "Load a value without the way back, or leave it out of the type's `customMirror`")
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
                .limit, "there are more than \(limits.values) values, counted up to here", at: here,
                remedy: "Leave out what is no property (one instance in two places counts twice), "
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
    /// The nodes of an array, or nil where it stays whole: that is the way to get `[Server]` back.
    ///
    /// An array has no flat names inside, so tables made of its elements would be of no use.
    private mutating func array(_ array: any AnyArray) throws(PropertyLoadError) -> PropertyValue? {
        try count(max(1, array.count))
        if let plain = array as? any PlainArray {
            return .array(plain.values.map { PropertyNode($0, origin: originOfElements) })
        }
        // Of what an empty array is one, only its type says. One that is too deep stays whole as well.
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

    /// The value of an element of an array, or nil where it is no plain value.
    private mutating func plain(_ element: Any) throws(PropertyLoadError) -> PropertyValue? {
        // An optional element reads back as one from the whole array only.
        if element is any AnyOptional { return nil }
        let element = (element as? any BridgedObject)?.bridgedValue ?? element
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

    // The array's own place: the last path that was noted.
    private var originOfElements: PropertyOrigin {
        PropertyOrigin(source: .unknown, place: UInt32(clamping: max(0, labels.count - 1)))
    }
}

// MARK: - Places

extension PropertyTable {
    /// The same table with its places, and those of all that it holds, in a source.
    ///
    /// A source cannot change, so the one that has the labels is made after the values.
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
