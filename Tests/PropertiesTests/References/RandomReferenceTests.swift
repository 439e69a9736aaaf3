import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

/// A random declaration, and what the tests know about it.
private struct Sample {
    let name: String
    let summary: String?
    let isSecret: Bool
    let isRequired: Bool
    /// The keyword `type` of its schema, or nil for an enum.
    let type: String?
    let declare: @Sendable (PropertyStore) -> Void
    /// Whether reading the key from a source returns the default.
    let readsDefault: @Sendable (PropertyStore) throws -> Bool
}

@Suite("References of random declarations")
struct RandomReferenceTests {
    enum Level: String, CaseIterable, Sendable { case debug, info, a_b = "a \"b|c" }

    private static let names: [[String]] = [
        ["server", "db", "apiKeys", "a-b", "x_y"],
        ["port", "baseURL", "p\"q", "p|q", "p`q", "p'q", "p q", "é", "p\nq"],
        ["n1", "URLPath", "_x", "p\\q", "p<q", "$p", "p=q", "last"],
    ]

    private static func samples(_ random: inout SplitMix) -> [Sample] {
        var samples: [String: Sample] = [:]
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let levels = (0..<Int.random(in: 1...3, using: &random)).map { level in
                names[level][Int.random(in: 0..<names[level].count, using: &random)]
            }
            // A key is not below another one, so that each has a schema of its own.
            let name = (levels.dropLast() + ["\(levels.last ?? "")\(levels.count)"]).joined(separator: ".")
            samples[name] = sample(name, &random)
        }
        return samples.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private static func sample(_ name: String, _ random: inout SplitMix) -> Sample {
        let texts = ["hunter2", "hunter \"x\"|y`\n$z\\", "hunter#", " hunter ", "hunter=é'"]
        let text = texts[Int.random(in: 0..<texts.count, using: &random)]
        let number = Int.random(in: -5...70_000, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return make(name, number, "integer", &random)
        case 1: return make(name, Double(number) / 7, "number", &random)
        case 2: return make(name, number.isMultiple(of: 2), "boolean", &random)
        case 3: return make(name, Duration.milliseconds(number), "string", &random)
        case 4: return make(name, Level.allCases[abs(number) % 3], nil, &random)
        case 5: return make(name, [number, 2], "array", &random)
        default: return make(name, text, "string", &random)
        }
    }

    private static func make<Value: Sendable & Equatable>(
        _ name: String, _ value: Value, _ type: String?, _ random: inout SplitMix
    ) -> Sample {
        let summaries = [nil, "What it is for", "Two\nlines | a pipe, a <b> & a \"quote\".", "é"]
        let summary = summaries[Int.random(in: 0..<summaries.count, using: &random)]
        let isSecret = value is String && Bool.random(using: &random), isRequired = Bool.random(using: &random)
        let key = TypedKey(name, default: isRequired ? nil : value, isSecret: isSecret, summary: summary)
        return Sample(
            name: name, summary: summary, isSecret: isSecret, isRequired: isRequired, type: type,
            declare: { $0.declare(key) }, readsDefault: { try $0.require(key) == value && !$0.explain(key).isEmpty })
    }

    private func forEachStore(_ body: (PropertyStore, [Sample]) throws -> Void) rethrows {
        var random = SplitMix(state: 11), count = 0
        for _ in 0..<300 {
            let store = PropertyStore(), samples = Self.samples(&random)
            for sample in samples { sample.declare(store) }
            #expect(store.declaredKeys.map(\.key.rawValue) == samples.map(\.name))
            try body(store, samples)
            count += samples.count
        }
        #expect(count > 1000)
    }

    private func hidesSecrets(_ text: String, _ samples: [Sample]) -> Bool {
        samples.contains { !$0.isSecret && $0.type == "string" } || !text.contains("hunter")
    }

    @Test("The lines of the .env file, uncommented, set the defaults of the keys")
    func dotEnv() throws {
        var read = 0
        try forEachStore { store, samples in
            let text = store.reference(as: .dotEnv(prefix: "APP"))
            #expect(hidesSecrets(text, samples))
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("#APP_") && !$0.hasSuffix("=") }
            let assignments = lines.map { $0.dropFirst() }.joined(separator: "\n")
            try store.apply(DotEnvPropertyLoader(string: assignments, name: ".env", prefix: "APP_"))
            #expect(store.entries.count == lines.count)
            for entry in store.entries {
                let sample = try #require(samples.first { $0.name == entry.name })
                #expect(try sample.readsDefault(store) && !sample.isSecret)
            }
            read += lines.count
        }
        #expect(read > 200)
    }

    @Test("The JSON Schema is JSON that has each key at its path, with its type, default and description")
    func jsonSchema() throws {
        try forEachStore { store, samples in
            let text = store.reference(as: .jsonSchema())
            #expect(hidesSecrets(text, samples))
            let root = try JsonPropertyLoader(string: text, name: "schema").load().table
            var leaves = 0
            for sample in samples {
                var schema = root
                for level in sample.name.split(separator: ".", omittingEmptySubsequences: false) {
                    schema = try #require(schema["properties"]?.table?[String(level)]?.table)
                }
                leaves += 1
                #expect(schema["type"]?.string == sample.type)
                #expect((schema["enum"] == nil) == (sample.type != nil))
                #expect((schema["default"] == nil) == (sample.isRequired || sample.isSecret))
                let description = try #require(schema["description"]?.string)
                #expect(description.contains("Required.") == sample.isRequired)
                #expect(description.contains("Secret.") == sample.isSecret)
                if let summary = sample.summary { #expect(description.dropFirst().hasPrefix(summary.dropFirst())) }
            }
            #expect(text.components(of: "\"description\":") == leaves)
        }
    }

    @Test("Each row of the Markdown table has four cells, of which the first is the name")
    func markdown() {
        forEachStore { store, samples in
            let text = store.reference(as: .markdown)
            #expect(hidesSecrets(text, samples))
            let rows = text.split(separator: "\n").dropFirst(2).map { Self.cells(of: $0) }
            #expect(rows.map { $0.first } == samples.map { $0.name.replacing("\n", with: "\\n") })
            #expect(rows.allSatisfy { $0.count == 4 })
        }
    }

    /// Returns the cells of a row, without escapes, and without the delimiters of a code span in the first one.
    private static func cells(of row: Substring) -> [String] {
        var cells = [""], isEscaped = false
        for character in row.dropFirst(2) {
            if isEscaped, character != "|" { cells[cells.count - 1] += "\\" }
            if character == "|", !isEscaped {
                cells.append("")
            } else if character != "\\" || isEscaped {
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        cells = cells.dropLast().map { String($0.trimmingSpaces) }
        let delimiter = cells[0].prefix { $0 == "`" }
        cells[0] = String(cells[0].dropFirst(delimiter.count).dropLast(delimiter.count).trimmingSpaces)
        return cells
    }

    @Test("The options of the help text are the names as a shell reads them, and lines fit")
    func help() {
        forEachStore { store, samples in
            let text = store.reference(as: .help(columns: 60))
            #expect(hidesSecrets(text, samples))
            let lines = text.split(separator: "\n")
            let options = lines.filter { $0.hasPrefix("  -") || $0.hasPrefix("  '") }.map {
                Self.option($0.dropFirst(2))
            }
            #expect(options == samples.map { "--" + $0.name.replacing("\n", with: "\\n") })
            #expect(lines.allSatisfy { $0.count <= 60 || !$0.dropFirst(26).contains(" ") || $0.hasPrefix("  -") })
        }
    }

    /// Returns the first word as a POSIX shell reads it.
    private static func option(_ line: Substring) -> String {
        guard line.first == "'" else { return String(line.prefix { $0 != " " }) }
        var word = "", isQuoted = false, isEscaped = false
        for character in line {
            switch character {
            case _ where isEscaped:
                word.append(character)
                isEscaped = false
            case "'": isQuoted.toggle()
            case "\\" where !isQuoted: isEscaped = true
            case " " where !isQuoted: return word
            default: word.append(character)
            }
        }
        return word
    }
}

extension PropertyNode {
    fileprivate var table: PropertyTable? {
        if case .table(let table) = value { table } else { nil }
    }

    fileprivate var string: String? {
        if case .string(let string) = value { string } else { nil }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: SubSequence {
        let start = drop { $0 == " " }
        return start.prefix(start.count - start.reversed().prefix { $0 == " " }.count)
    }
}
