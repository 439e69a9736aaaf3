/// A value on its way into a type, with what has been found wrong so far.
///
/// It goes along with each conversion inside `bind`; everywhere else there is none, and the first problem is thrown.
struct Binding {
    let record: BindingRecord
    /// Where the value is inside the one that is bound: `.servers[2]`.
    let path: String

    func inside(_ step: String) -> Binding {
        Binding(record: record, path: path + step)
    }

    /// Runs a conversion, notes what it finds wrong, and gives some value in place of the one that is not there.
    ///
    /// - Throws: the mismatch where no value of the type can be made up; it is noted all the same.
    func collect<T>(
        _ type: T.Type, _ convert: (Binding) throws(PropertyMismatch) -> T
    ) throws(PropertyMismatch) -> T {
        let known = record.mark
        do throws(PropertyMismatch) {
            return try convert(self)
        } catch {
            record.note(error, in: self, known: known)
            if let value = record.placeholder(type) { return value }
            throw error
        }
    }
}

/// What one binding has found.
final class BindingRecord {
    /// What is wrong, each with its path from the bound value.
    private(set) var problems: [PropertyMismatch] = []
    private var tables: [(path: String, node: PropertyNode)] = []
    private var usedKeys: [String: Set<PropertyKey>] = [:]
    private var broken: Set<String> = []
    // Placeholders are decoded too, from an empty table; a type that has itself as a part would never end.
    private let depth: Int
    private static let depthLimit = 16

    init(depth: Int = 0) {
        self.depth = depth
    }

    /// How much is known before a conversion begins.
    var mark: (problems: Int, tables: Int) { (problems.count, tables.count) }

    /// Notes a problem. A type that fails after one of its parts did most likely fails of that, so it counts once.
    func note(_ mismatch: PropertyMismatch, in binding: Binding, known: (problems: Int, tables: Int)) {
        broken.insert(binding.path)
        // All that came since is inside the value that failed.
        tables.removeSubrange(min(known.tables, tables.count)...)
        if problems.count == known.problems { problems.append(mismatch.inside(binding.path)) }
    }

    /// Notes that a type looks for keys in a table.
    func enter(_ node: PropertyNode, at path: String) {
        guard usedKeys[path] == nil else { return }
        usedKeys[path] = []
        tables.append((path, node))
    }

    /// Notes that a type has looked for a key.
    func use(_ key: String, at path: String) {
        usedKeys[path, default: []].insert(PropertyKey(key))
    }

    /// The keys that no type has looked for, each with its path and the keys of its table that one looked for.
    ///
    /// Tables whose type gave up half way are left out: nobody knows which keys it would have looked for.
    var unknownKeys: [UnknownKey] {
        tables
            .filter { !broken.contains($0.path) }
            .flatMap { unknownKeys(in: $0.node, at: $0.path) }
    }

    private func unknownKeys(in node: PropertyNode, at path: String) -> [UnknownKey] {
        guard case .table(let table) = node.value, let used = usedKeys[path] else { return [] }
        let free = used.filter { table[$0.rawValue] == nil }.map(\.rawValue).sorted()
        return table.filter { !used.contains(PropertyKey($0.key)) }.map { entry in
            UnknownKey(
                path: "\(path).\(entry.key)", origin: entry.keyOrigin,
                candidates: Candidates(written: entry.key, names: free))
        }
    }

    struct UnknownKey {
        let path: String
        let origin: PropertyOrigin
        let candidates: Candidates
    }

    /// Some value of a type, so that the types around it can be decoded further; nil where none is easily made.
    func placeholder<T>(_ type: T.Type) -> T? {
        guard depth < Self.depthLimit else { return nil }
        let record = BindingRecord(depth: depth + 1)
        for value in Self.someValues {
            let binding = Binding(record: record, path: "")
            if let made = try? Conversion.convert(PropertyNode(value), to: type, in: binding) { return made }
        }
        if let cases = type as? any CaseIterable.Type { return firstCase(cases) as? T }
        return firstCaseUnlisted(type)
    }

    // An enum that does not list its cases. Safe: in a byte that has nothing to count or to free, 0 is the first case of
    // an enum, and of a struct it is bits that no code sees before they are found to be none of an enum. What is in
    // neither has rules of its own that 0 may break: a struct's `init` may refuse it, and so may that of what a case holds.
    // No bytes may mean no cases; a mirror of the type's own would be its code.
    private func firstCaseUnlisted<T>(_ type: T.Type) -> T? {
        guard type is any RawRepresentable.Type, !(type is any CustomReflectable.Type), _isPOD(type),
            MemoryLayout<T>.size == 1
        else { return nil }
        var zero: UInt8 = 0
        let value = unsafe withUnsafeBytes(of: &zero) { unsafe $0.loadUnaligned(as: type) }
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum && mirror.children.isEmpty ? value : nil
    }

    // The empty table is the last, since a type may make itself of it with placeholders in turn.
    private static let someValues: [PropertyValue] = [
        0, "", false, 0.5, [], "1s", "a:b", .data([]),
        PropertyDateTime(day: .init(year: 2001, month: 1, day: 1), time: .init(hour: 0, minute: 0), offset: 0)
            .map { .dateTime($0) } ?? nil, [:],
    ]

    private func firstCase<C: CaseIterable>(_ type: C.Type) -> Any? { type.allCases.first }
}
