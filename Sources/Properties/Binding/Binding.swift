/// A value on its way into a type, with what has been found wrong so far.
///
/// It goes along with each conversion inside `bind`; everywhere else there is none, and the first problem is thrown.
struct Binding {
    let record: BindingRecord
    /// Where the value is inside the one that is bound: `.servers[2]`.
    let path: String
    /// Whether what is wrong is noted and made up for, so that the rest is looked at too; else it is thrown.
    var isCollecting = true

    func inside(_ step: String) -> Binding {
        Binding(record: record, path: path + step, isCollecting: isCollecting)
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
            guard isCollecting else {
                // Who tries something else instead reads other tables, or these with other keys.
                _ = record.take(since: known)
                throw error
            }
            record.note(error, in: self, known: known)
            if let value = record.placeholder(type) { return value }
            throw error
        }
    }

    /// Runs a type's own decoding; where that finds problems, once more with nothing made up.
    ///
    /// A type that tries one thing and then another sees its first attempt succeed where a value was made up for it. If
    /// it can do without, nothing was wrong.
    func reconsidered<T>(_ decode: (Binding) throws(PropertyMismatch) -> T) throws(PropertyMismatch) -> T {
        let known = record.mark
        let first = Result { () throws(PropertyMismatch) in try decode(self) }
        guard isCollecting, record.mark.problems > known.problems, record.mayReconsider(self) else {
            return try first.get()
        }
        let findings = record.take(since: known)
        if let value = try? decode(Binding(record: record, path: path, isCollecting: false)) { return value }
        _ = record.take(since: known)
        record.put(findings)
        return try first.get()
    }
}

/// What one binding has found.
final class BindingRecord {
    /// What is wrong, each with its path from the bound value.
    private(set) var problems: [PropertyMismatch] = []
    private var tables: [(path: String, node: PropertyNode)] = []
    private var usedKeys: [String: Set<PropertyKey>] = [:]
    /// The paths of values whose type gave up.
    private var broken: [String] = []
    private var failedReconsiderations = 0
    // Of types in each other each is decoded again, so that a hostile source could make the time grow with its depth
    // times its size; the whole is decoded again in any case.
    private static let reconsiderationLimit = 64
    // Placeholders are decoded too, from an empty table; a type that has itself as a part would never end.
    private let depth: Int
    private static let depthLimit = 16

    init(depth: Int = 0) {
        self.depth = depth
    }

    /// How much is known before a conversion begins.
    struct Mark {
        let problems: Int, tables: Int, broken: Int
    }

    /// What one conversion has found.
    struct Findings {
        let problems: [PropertyMismatch]
        let tables: [(path: String, node: PropertyNode, usedKeys: Set<PropertyKey>)]
        let broken: [String]
    }

    var mark: Mark { Mark(problems: problems.count, tables: tables.count, broken: broken.count) }

    /// Whether a value with problems is to be decoded again. What is made up is not: it is thrown away in any case.
    func mayReconsider(_ binding: Binding) -> Bool {
        depth == 0 && (binding.path.isEmpty || failedReconsiderations < Self.reconsiderationLimit)
    }

    /// Takes back what was found since a conversion began.
    func take(since known: Mark) -> Findings {
        let findings = Findings(
            problems: Array(problems.dropFirst(known.problems)),
            tables: tables.dropFirst(known.tables).map { ($0.path, $0.node, usedKeys[$0.path] ?? []) },
            broken: Array(broken.dropFirst(known.broken)))
        problems.removeLast(findings.problems.count)
        broken.removeLast(findings.broken.count)
        forget(tablesSince: known)
        return findings
    }

    /// Puts back what was taken, since no better was found.
    func put(_ findings: Findings) {
        failedReconsiderations += 1
        problems += findings.problems
        broken += findings.broken
        for (path, node, keys) in findings.tables {
            tables.append((path, node))
            usedKeys[path] = keys
        }
    }

    // With their keys, so that another type may enter them.
    private func forget(tablesSince known: Mark) {
        let found = tables.dropFirst(known.tables)
        for table in found { usedKeys[table.path] = nil }
        tables.removeLast(found.count)
    }

    /// Notes a problem. A type that fails after one of its parts did most likely fails of that, so it counts once.
    func note(_ mismatch: PropertyMismatch, in binding: Binding, known: Mark) {
        broken.append(binding.path)
        // All that came since is inside the value that failed.
        forget(tablesSince: known)
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
        let broken = Set(broken)
        return
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

    // An enum that does not list its cases, in a byte with nothing to count or to free. Safe: 0 is the first case of an
    // enum. Of any other type, and of a case that holds something, 0 may be what an `init` refuses; such bits are looked
    // at here alone, by a mirror that has no code of the type's own, and go no further. No byte may mean no case.
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
