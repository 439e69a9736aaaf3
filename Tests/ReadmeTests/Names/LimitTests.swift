import Foundation
import Testing

/// A sentence with a number that a constant of the code has.
struct Limit: Sendable, CustomTestStringConvertible {
    let document: String
    /// A part of the sentence, with `#` for the number and its unit.
    let sentence: String
    let file: String
    /// The declaration of the constant, up to its value.
    let constant: String

    init(_ document: String, _ sentence: String, _ file: String, _ constant: String) {
        (self.document, self.sentence, self.file, self.constant) = (document, sentence, file, constant)
    }

    var testDescription: String { "\(document): \(sentence)" }

    /// The value of the constant, as sentences write it: in bytes, or as it stands.
    var values: [String] {
        get throws {
            let source = try ReadmeBlocks.text(of: "Sources/\(file).swift")
            let start = try #require(source.firstRange(of: constant), "\(file) does not have '\(constant)'")
            let value = source[start.upperBound...].prefix { !"\n,)+".contains($0) }.trimmingCharacters(
                in: .whitespaces)
            let parts = value.replacing("_", with: "").components(separatedBy: " << ")
            guard let first = Int(parts[0]) else { return [Self.duration(value)] }
            guard parts.count == 2, let shift = Int(parts[1]) else { return [Self.grouped(first)] }
            let unit = ["", "K", "M"][shift / 10]
            return ["\(first << (shift % 10)) \(unit)B", "\(first << (shift % 10)) \(unit)iB"]
        }
    }

    // `.milliseconds(100` or `Duration.seconds(10`, without its parenthesis.
    private static func duration(_ text: String) -> String {
        let number = text.drop { !$0.isNumber }
        return text.contains("milliseconds") ? "\(number) ms" : String(number)
    }

    private static func grouped(_ number: Int) -> String {
        number < 1000 ? "\(number)" : "\(grouped(number / 1000)),\(String("00\(number % 1000)".suffix(3)))"
    }
}

private let limits = [
    Limit(
        "ServiceHost/ServiceHost.docc/Merging", "A flat name has at most #.",
        "Properties/Loading/LayerLimits", "static let nameLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Merging", "is limited to # bytes per name",
        "Properties/Loading/LayerLimits", "static let meanNameLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Merging", "or to # if that is more",
        "Properties/Loading/LayerLimits", "static let leastTotalLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Reading", "may have keys of at most # bytes",
        "Properties/Types/Conversions/ConversionContext", "static let keyLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Checks", "Values may be nested up to # keys and indices deep",
        "Properties/Types/Conversions/ConversionContext", "static let depthLimit = "),
    Limit(
        "ConfigurationSyntax/ConfigurationSyntax.docc/ConfigurationSyntax", "the depth (by default #)",
        "ConfigurationSyntax/Errors/SyntaxLimits", "init(depth: Int = "),
    Limit(
        "ConfigurationSyntax/ConfigurationSyntax.docc/ConfigurationSyntax", "the size (by default #)",
        "ConfigurationSyntax/Errors/SyntaxLimits", ", bytes: Int = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "the depth (by default #,",
        "ConfigurationSyntax/Errors/SyntaxLimits", "init(depth: Int = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "the size of the file (#)",
        "ConfigurationSyntax/Errors/SyntaxLimits", ", bytes: Int = "),
    Limit(
        "ServiceHost/ServiceHost.docc/WithHTTP", "a document has at most # (`sizeLimit`)",
        "PropertyLoadersEssentials/HTTP/HttpPropertyLoader", "static let defaultSizeLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "A key has at most #.",
        "PropertyLoaders/PropertyList/PlistBudget", "static let keySize = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "at most # more values than bytes",
        "PropertyLoaders/PropertyList/PlistBudget", "let limit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "entries of a dictionary (by default #)",
        "PropertyLoaders/PropertyList/PlistPropertyLoader", "static let defaultEntries = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "the depth (by default #)",
        "ConfigurationSyntax/Errors/SyntaxLimits", "init(depth: Int = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "the size (#)",
        "ConfigurationSyntax/Errors/SyntaxLimits", ", bytes: Int = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats",
        "Tables may be nested # levels deep",
        "PropertyLoadersEssentials/Reflection/Reflector", "static let depthLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Formats", "there may be # values",
        "PropertyLoadersEssentials/Reflection/Reflector", "static let valueLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Sources", "together may produce # of text",
        "Properties/Placeholders/PropertyPlaceholders", "static let defaultSizeLimit = "),
    Limit(
        "ServiceHost/ServiceHost.docc/Reloading", "`debounce`, # by default",
        "PropertyLoadersEssentials/Watching/PropertyWatcher", "debounce: Duration = "),
    Limit(
        "ServiceHost/ServiceHost.docc/ServiceInOneCall", "Up to # lines",
        "ServiceHost/ServiceLog", "static let maximumCount = "),
    Limit(
        "ServiceHost/ServiceHost.docc/ServiceInOneCall", "or # bytes wait",
        "ServiceHost/ServiceLog", "static let maximumSize = "),
    Limit(
        "ServiceHost/ServiceHost.docc/FollowingSettings", "the drain time: # seconds by default",
        "Container/Following/RegistrationEntry+Following", "draining: Duration = "),
]

@Suite("The limits in articles")
struct LimitTests {
    @Test("A sentence has the number of its constant", arguments: limits)
    func limit(_ limit: Limit) throws {
        let text = try ReadmeBlocks.text(of: "Sources/\(limit.document).md")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let sentences = try limit.values.map { limit.sentence.replacing("#", with: $0) }
        #expect(sentences.contains { text.contains($0) }, "expected one of \(sentences)")
    }

    /// Sizes in articles that are not limits of this package.
    private static let others = [
        "ServiceHost/ServiceHost.docc/Checks": ["512 KB"], "ServiceHost/ServiceHost.docc/ServiceInOneCall": ["4 KB"],
    ]

    @Test("Each size in an article is compared, or is that of somebody else")
    func sizes() throws {
        for document in ReadmeBlocks.documents where document.contains(".docc/") {
            let name = String(document.dropFirst("Sources/".count).dropLast(".md".count))
            let known = try limits.filter { $0.document == name }.flatMap { try $0.values } + (Self.others[name] ?? [])
            var isCode = false
            for line in try ReadmeBlocks.text(of: document).split(separator: "\n") {
                if line.hasPrefix("```") { isCode.toggle() }
                if isCode || line.hasPrefix("|") { continue }
                for size in line.matches(of: /\b\d[\d,]* (?:[KM]i?B|bytes)\b/).map({ String($0.0) }) {
                    let number = size.replacing(" bytes", with: "")
                    #expect(known.contains(size) || known.contains(number), "\(document): '\(size)' is in no table")
                }
            }
        }
    }
}
