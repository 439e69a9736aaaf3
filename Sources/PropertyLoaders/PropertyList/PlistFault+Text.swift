internal import Properties

// The one place that puts the faults of property lists into words.
extension PlistFault {
    /// The error that a user sees.
    func loadError(in source: PropertySource, isBinary: Bool) -> PropertyLoadError {
        let words = words
        let place = offset.flatMap { isBinary ? nil : UInt32(exactly: $0) } ?? PropertyOrigin.nowhere
        let bytePlace = isBinary ? offset.map { " at byte \($0)" } ?? "" : ""
        var notes: [PropertyLoadError.Note] = []
        if let related, let place = UInt32(exactly: related) {
            notes = [.init(relation, at: PropertyOrigin(source: source, place: place))]
        }
        return PropertyLoadError(
            reason, words.problem + bytePlace, at: PropertyOrigin(source: source, place: place),
            expected: words.expected, remedy: words.remedy, notes: notes)
    }

    struct Words {
        let problem: String
        let expected: String?
        let remedy: String?

        init(_ problem: String, expected: String? = nil, _ remedy: String? = nil) {
            (self.problem, self.expected, self.remedy) = (problem, expected, remedy)
        }
    }

    private var reason: PropertyLoadError.Reason {
        switch problem {
        case .tooDeep, .tooManyValues, .tooManyBytes, .outOfProportion: .limit
        case .keyAgain, .object(.keyTwice): .duplicate
        case .integerRange, .realRange, .object(.integerRange), .object(.dateRange), .object(.null), .object(.uid),
            .object(.set), .encoding, .utf16, .openStep, .doctypeSubset:
            .unsupported
        default: .syntax
        }
    }

    // What stands at the second place.
    private var relation: String {
        switch problem {
        case .keyAgain: "the first one is at"
        case .secondValue: "the first one begins at"
        default: "it begins at"
        }
    }

    private var words: Words {
        switch problem {
        case .empty: Words("the file is empty", expected: "a property list", "Check that this is the right file")
        case .noPropertyList:
            Words(
                "this is no property list", expected: "`<?xml`, `<plist` or `bplist00` at the start",
                "Check that this is the right file")
        case .openStep:
            Words(
                "this looks like an old-style (OpenStep) property list, or like JSON",
                expected: "an XML or a binary property list", "Convert it with `plutil -convert xml1`")
        case .utf16: Words("the text is UTF-16", expected: "UTF-8", "Save it as UTF-8")
        case .encoding(let name):
            Words(
                "the declaration says \(quoted(name))", expected: "the encoding UTF-8",
                "Save the file as UTF-8 and say so")
        case .invalidUTF8: Words("this is no UTF-8", expected: "UTF-8 text", "Save the file as UTF-8")
        case .tooDeep(let limit):
            Words(
                "more than \(limit) arrays and dictionaries stand inside each other",
                "Flatten it, or raise `depth` in the loader's limits")
        case .tooManyValues(let limit):
            Words(
                "there are more than \(limit) values",
                "Check that this is the right file, or raise `values` in the loader's limits")
        case .tooManyBytes(let limit):
            Words(
                "the strings and data make more than \(limit) bytes",
                "Check that this is the right file, or raise `bytes` in the loader's limits")
        case .outOfProportion(let limit):
            Words(
                "there are more than \(limit) values in a file of this size, since arrays or dictionaries are used again",
                "Write each in its own right")
        case .keyAgain(let key):
            Words("the key \(quoted(key)) stands twice, and this one counts", "Remove one of the two")
        case .truncated, .version, .trailer, .object: binaryWords
        default: xmlWords
        }
    }

    /// A name out of a document, of which no more than a line's worth is shown.
    func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let clean = scalars.prefix(60).map { $0.isControl ? "\u{FFFD}" : String($0) }
        return "`\(clean.joined())\(scalars.dropFirst(60).isEmpty ? "" : "…")`"
    }
}
