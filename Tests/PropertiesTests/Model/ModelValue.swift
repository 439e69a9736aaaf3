import Properties

/// A key or a flat name. It compares byte by byte, as names do in a store; a `String` compares by Unicode normal form.
struct Name: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The flat name of a path.
    init(path: some Sequence<Name>) { text = path.map(\.text).joined(separator: ".") }

    /// The keys between the dots, empty ones included.
    var parts: [Name] { text.split(separator: ".", omittingEmptySubsequences: false).map { Name(String($0)) } }

    /// Whether the other name is this one or below it, by the text alone.
    func covers(_ other: Name) -> Bool { self == other || other.text.utf8.starts(with: "\(text).".utf8) }

    // Names of stacks that are equal as text and have as many bytes have the same bytes.
    static func == (one: Name, other: Name) -> Bool {
        one.text == other.text && one.text.utf8.count == other.text.utf8.count
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A value of a random source.
indirect enum ModelValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case double(Double)
    /// A string of a typed source, which stays a string.
    case string(String)
    /// Text of an untyped source, which converts to what is asked for.
    case text(String)
    case array([ModelValue])
    case table([ModelEntry])

    var isTable: Bool { if case .table = self { true } else { false } }

    /// The numbers and strings in the value that no other value of its stack contains.
    var tokens: [String] {
        switch self {
        case .null, .bool: []
        case .integer(let integer): ModelToken.all(in: String(integer))
        case .double(let double): ModelToken.all(in: String(double))
        case .string(let text), .text(let text): ModelToken.all(in: text)
        case .array(let elements): elements.flatMap(\.tokens)
        case .table(let entries): entries.flatMap(\.value.tokens)
        }
    }
}

struct ModelEntry: Equatable, Sendable {
    var key: Name
    var value: ModelValue
}

extension ModelValue {
    /// The model's form of a store's value, or nil for a case that no random source has.
    init?(_ value: PropertyValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(Int(integer))
        case .double(let double): self = .double(double)
        case .string(let text): self = .string(text)
        case .text(let text): self = .text(text)
        case .array(let nodes): self = .array(nodes.compactMap { ModelValue($0.value) })
        case .table(let table):
            self = .table(
                table.compactMap { entry in
                    ModelValue(entry.node.value).map { ModelEntry(key: Name(entry.key), value: $0) }
                })
        default: return nil
        }
    }
}

/// Six digits that mark one value of a stack, so that a search in a text finds that value and no other.
enum ModelToken {
    static let first = 700_000

    /// The tokens in a text.
    static func all(in text: String) -> [String] {
        var tokens: [String] = []
        var digits = ""
        for byte in Array(text.utf8) + [0] {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                digits.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                if digits.utf8.count == 6 { tokens.append(digits) }
                digits = ""
            }
        }
        return tokens
    }
}
