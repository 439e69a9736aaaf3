import PropertyLoaders

/// The result of `check`.
struct CheckReport {
    /// A source that was loaded.
    struct File {
        let name: String
        /// The number of properties.
        let properties: Int
    }

    private let files: [File]
    /// The problems, in the order of the sources and their lines.
    private let findings: [Finding]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - files: the sources that were loaded.
    ///   - findings: the problems. A repeated problem is left out.
    ///   - sources: the names of all sources, in the order of the report.
    init(files: [File], findings: [Finding], sources: [String]) {
        self.files = files
        var reports: Set<PropertyKey> = []
        let distinct = findings.filter { reports.insert(PropertyKey($0.report)).inserted }
        let positions = distinct.enumerated().map { number, finding in
            [Self.index(of: finding, in: sources), finding.line ?? 0, finding.column ?? 0, number]
        }
        self.findings = positions.sorted { $0.lexicographicallyPrecedes($1) }.compactMap(\.last).map { distinct[$0] }
    }

    /// The index of the source of a problem, which may be a file in a directory. A problem in no source is the last.
    private static func index(of finding: Finding, in sources: [String]) -> Int {
        guard let name = finding.source else { return sources.count }
        return sources.firstIndex { name.isSame(as: $0) || name.begins(with: "\($0)/") } ?? sources.count
    }

    /// Whether a problem is an error.
    var hasErrors: Bool { findings.contains { $0.severity == .error } }

    private func hasErrors(in file: File) -> Bool {
        findings.contains { $0.severity == .error && Self.index(of: $0, in: [file.name]) == 0 }
    }

    /// Prints the files on standard output, and the problems on standard error.
    func printText() {
        for file in files where !hasErrors(in: file) {
            Output.line("\(PrintableText.escaped(file.name)): ok, \(Output.count(file.properties))")
        }
        for finding in findings { Output.error(finding.report) }
    }

    /// Prints the report on standard output.
    func printJSON() { Output.line(JsonText.text(PropertyNode(json), layout: .lines)) }
}

// MARK: - JSON

extension CheckReport {
    private var json: PropertyValue {
        let files = files.map { file -> PropertyValue in
            ["name": .string(file.name), "properties": .integer(Int64(file.properties))]
        }
        return ["files": .list(files), "findings": .list(findings.map(Self.json))]
    }

    private static func json(_ finding: Finding) -> PropertyValue {
        .members([
            ("severity", .string(finding.severity.rawValue)), ("rule", .string(finding.rule)),
            ("file", finding.file.map { .string($0) }), ("line", finding.line.map { .integer(Int64($0)) }),
            ("column", finding.column.map { .integer(Int64($0)) }), ("place", finding.place.map { .string($0) }),
            ("message", .string(finding.message)),
        ])
    }
}

extension PropertyValue {
    /// An array of values.
    static func list(_ values: [PropertyValue]) -> PropertyValue { .array(values.map { PropertyNode($0) }) }

    /// A table of the members that have a value.
    static func members(_ members: [(String, PropertyValue?)]) -> PropertyValue {
        .table(PropertyTable(members.compactMap { name, value in value.map { (name, $0) } }))
    }
}
