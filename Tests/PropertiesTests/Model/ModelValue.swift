import Properties

/// A key or a flat name. Names compare byte by byte, like in a store, while strings compare by Unicode canonical
/// equivalence.
struct Name: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The flat name of a path.
    init(path: some Sequence<Name>) { text = path.map(\.text).joined(separator: ".") }

    /// The keys between the dots, empty ones included.
    var parts: [Name] { text.split(separator: ".", omittingEmptySubsequences: false).map { Name(String($0)) } }

    /// Whether the other name is equal to this one or below it. Only the texts are compared, not the paths.
    func covers(_ other: Name) -> Bool { self == other || other.text.utf8.starts(with: "\(text).".utf8) }

    // This compares the bytes of names in random stacks: two of them with equal texts and equally many bytes have the
    // same bytes.
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
    /// Text of an untyped source, which converts to the requested type.
    case text(String)
    case array([ModelValue])
    case table([ModelEntry])

    var isTable: Bool { if case .table = self { true } else { false } }

    /// The tokens in the value, which no other value of its stack contains.
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
    /// Creates the model's form of a store's value, or nil for a case that no random source contains.
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

/// A number of six digits that marks one value of a stack, so that a search for it in a text finds only that value.
enum ModelToken {
    static let first = 700_000

    /// Returns the tokens in a text.
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
