import Foundation
import PropertyLoaders

/// The formats of the report of `check`.
enum ReportFormat: String, CaseIterable {
    case text, json, sarif, github
}

/// What `check` has found.
struct CheckReport {
    /// A source that was loaded.
    struct File {
        let name: String
        /// The number of properties.
        let properties: Int
    }

    private var files: [File]
    /// The problems, in the order of the sources and their lines.
    private(set) var findings: [Finding]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - files: the sources that were loaded.
    ///   - findings: the problems. One that repeats another is left out.
    ///   - sources: the names of all sources, in their order, which is that of the report.
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

    /// The report without warnings and valid files.
    var onlyErrors: CheckReport {
        var report = self
        report.files = []
        report.findings.removeAll { $0.severity != .error }
        return report
    }

    /// Whether a problem is an error.
    var hasErrors: Bool { findings.contains { $0.severity == .error } }

    private func hasErrors(in file: File) -> Bool {
        findings.contains { $0.severity == .error && Self.index(of: $0, in: [file.name]) == 0 }
    }

    /// Prints the report. As text, problems go to standard error.
    func print(as format: ReportFormat) {
        switch format {
        case .text:
            for file in files where !hasErrors(in: file) {
                Output.line("\(PrintableText.escaped(file.name)): ok, \(Output.count(file.properties))")
            }
            for finding in findings { Output.error(finding.report) }
        case .json: Output.line(Self.text(json))
        case .sarif: Output.line(Self.text(sarif))
        case .github: for finding in findings { Output.line(Self.annotation(finding)) }
        }
    }

    private static func text(_ value: PropertyValue) -> String { JsonText.text(PropertyNode(value), layout: .lines) }
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

// MARK: - SARIF

extension CheckReport {
    /// The report as a SARIF log (OASIS SARIF 2.1.0).
    private var sarif: PropertyValue {
        var rules: [String] = []
        for finding in findings where !rules.contains(where: finding.rule.isSame) { rules.append(finding.rule) }
        let driver: PropertyValue = [
            "name": "properties", "version": .string(ToolVersion.current),
            "rules": .list(rules.map { ["id": .string($0)] }),
        ]
        let run: PropertyValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
            "results": .list(findings.map(Self.result)),
        ]
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": .list([run]),
        ]
    }

    private static func result(_ finding: Finding) -> PropertyValue {
        .members([
            ("ruleId", .string(finding.rule)), ("level", .string(finding.severity.rawValue)),
            ("message", ["text": .string(message(finding))]),
            ("locations", finding.file.map { .list([location(of: finding, in: $0)]) }),
        ])
    }

    private static func location(of finding: Finding, in file: String) -> PropertyValue {
        let uri = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
        let region = finding.line.map { line -> PropertyValue in
            ["startLine": .integer(Int64(line)), "startColumn": .integer(Int64(finding.column ?? 1))]
        }
        return [
            "physicalLocation": .members([("artifactLocation", ["uri": .string(uri)]), ("region", region)])
        ]
    }

    /// The message, with the place if it is not in a file.
    private static func message(_ finding: Finding) -> String {
        guard finding.file == nil, let place = finding.place else { return finding.message }
        return "\(place): \(finding.message)"
    }
}

// MARK: - GitHub

extension CheckReport {
    /// Returns a command of a GitHub workflow that annotates a line of a file.
    private static func annotation(_ finding: Finding) -> String {
        let attributes = [
            finding.file.map { ("file", $0) }, finding.line.map { ("line", "\($0)") },
            finding.column.map { ("col", "\($0)") }, ("title", finding.rule),
        ]
        let list = attributes.compactMap { $0 }.map { "\($0)=\(escaped($1, [":", ","]))" }.joined(separator: ",")
        return "::\(finding.severity.rawValue) \(list)::\(escaped(message(finding), []))"
    }

    // The workflow decodes %25, %0D and %0A everywhere, and %3A and %2C in attributes.
    private static func escaped(_ text: String, _ others: [Unicode.Scalar]) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if ["%", "\r", "\n"].contains(scalar) || others.contains(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "%" + String(repeating: "0", count: 2 - digits.count) + digits
            } else {
                result += PrintableText.escaped(scalar)
            }
        }
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
