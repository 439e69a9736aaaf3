import Synchronization

/// The text of a source. It computes lines and columns on demand.
public struct SourceText: Sendable {
    private let bytes: [UInt8]
    private let marks = LineMarks()

    /// Creates a text.
    ///
    /// - Parameter bytes: the text in UTF-8. Invalid UTF-8 is accepted.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The length of the text in bytes.
    public var count: Int { bytes.count }

    /// Returns the line and the column of a byte, both counted from 1.
    ///
    /// Columns count Unicode scalars. A tab is one column. A byte order mark at the start is not counted.
    ///
    /// - Parameter offset: the byte offset. An offset outside of the text is clamped to it.
    /// - Returns: the line and the column.
    public func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
        let end = min(max(offset, 0), count)
        let place = marks.position(of: end, in: bytes)
        let start = max(place.lineStart, startOfText)
        guard start < end else { return (place.line, 1) }
        return (place.line, 1 + place.scalars - marks.position(of: start, in: bytes).scalars)
    }

    /// Whether the line of a byte may show a secret: a name that is usual for secrets stands in it, in the statement that
    /// it continues, or in the path of its table. The whole text is read once for all bytes.
    ///
    /// - Parameter offset: the byte offset.
    /// - Returns: whether messages must show nothing of the line.
    package func mayShowSecret(at offset: Int) -> Bool {
        SecretLines.contains(min(max(offset, 0), count), in: marks.secretLines(in: bytes))
    }

    /// The part of a line around a byte.
    package struct Excerpt {
        /// The text before the byte, and the text from the byte on. The secrets of URLs are masked. If the byte is in a
        /// secret, only the second text shows the mask.
        package let before, after: String
    }

    /// Returns the part of a line around a byte, without the line ending. The cost does not depend on the length of the
    /// line.
    ///
    /// - Parameters:
    ///   - offset: the byte offset.
    ///   - before: the maximum number of scalars before the byte.
    ///   - width: the maximum number of scalars in total.
    /// - Returns: the part.
    package func excerpt(around offset: Int, before: Int, width: Int) -> Excerpt {
        let place = min(max(offset, 0), count)
        var start = place
        var scalars = 0
        // Each limit holds for the bytes, too, since invalid UTF-8 may have any number of bytes without a scalar.
        while scalars < before, place - start < 4 * before, start > startOfText, bytes[start - 1] != .newline {
            start -= 1
            if isScalarStart(start) { scalars += 1 }
        }
        var end = place
        while end < count, end - place < 4 * width, bytes[end] != .newline, scalars < width || !isScalarStart(end) {
            if isScalarStart(end) { scalars += 1 }
            end += 1
        }
        if end > start, end == count || bytes[end] == .newline, bytes[end - 1] == .carriageReturn { end -= 1 }
        return masked(min(start, end), place: min(place, end), end)
    }

    /// Returns the line of a byte with its number, and below it a marker under the byte.
    package func markedLine(at offset: Int) -> String {
        let text = excerpt(around: offset, before: Self.excerptWidth / 2, width: Self.excerptWidth)
        // A tab under each tab keeps the marker in its column. Other control characters are replaced, because they
        // could act on the terminal.
        let before = text.before.unicodeScalars.map { $0 == "\t" ? "\t" : " " }
        let clean = (text.before + text.after).unicodeScalars.map {
            $0 != "\t" && $0.isControl ? "\u{FFFD}" : String($0)
        }
        let number = String(lineAndColumn(at: offset).line)
        let gutter = String(repeating: " ", count: max(0, 5 - number.count))
        let blank = String(repeating: " ", count: max(5, number.count))
        return "\(gutter)\(number) | \(clean.joined())\n\(blank) | \(before.joined())^"
    }

    /// The maximum number of scalars of a line that are shown, so that a minified file does not flood the terminal.
    private static let excerptWidth = 100

    /// Masks the secrets of the URLs in a part of a line, also of URLs that begin or end outside of the part.
    private func masked(_ start: Int, place: Int, _ end: Int) -> Excerpt {
        let window = max(startOfText, start - URLSecrets.reach)..<min(count, end + URLSecrets.reach)
        let ranges = URLSecrets.ranges(in: bytes[window])
        var middle = ranges.first { $0.contains(place) }.map { max(start, $0.lowerBound) } ?? place
        while middle > start, place - middle < 3, middle < end, !isScalarStart(middle) { middle -= 1 }
        return Excerpt(
            before: URLSecrets.text(of: bytes[start..<middle], masking: ranges),
            after: URLSecrets.text(of: bytes[middle..<end], masking: ranges))
    }

    /// Returns the characters of a decimal number at a byte, without the underscores of TOML, or nil if there are none.
    ///
    /// In XML, the number stands after the tag at the byte.
    package func number(at offset: Int) -> String? {
        guard bytes.indices.contains(offset) else { return nil }
        var rest = bytes[offset...]
        if rest.first == .lessThan {
            rest = rest.drop { $0 != .greaterThan }.dropFirst().drop(while: \.isWhitespace)
        }
        let number = rest.prefix { $0.isDigit || "+-._eE".utf8.contains($0) }.filter { $0 != .underscore }
        return number.isEmpty ? nil : String(decoding: number, as: UTF8.self)
    }

    private func isScalarStart(_ place: Int) -> Bool { bytes[place] & 0xC0 != 0x80 }

    private var startOfText: Int { UTF8Text.start(of: bytes) }
}

extension SourceText: CustomStringConvertible, CustomReflectable {
    /// The length of the text, without the text itself, which may be secret.
    public var description: String { "\(count) bytes" }

    /// A mirror that contains only the length, since the text may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

/// The positions of every 1,024th byte of a text. A look-up starts counting at the mark before it, not at the start.
///
/// The marks are computed once, by the first look-up past the first 1,024 bytes. This makes a listing of all properties
/// fast, which needs one look-up per property.
private final class LineMarks: Sendable {
    /// The line of a byte, and the numbers from which its column is computed.
    struct Position {
        /// The line, from 1.
        var line = 1
        /// The byte offset of the line's start.
        var lineStart = 0
        /// The number of Unicode scalars before the byte: all bytes except UTF-8 continuation bytes (10xxxxxx).
        var scalars = 0
    }

    /// The distance between two marks in bytes.
    private static let step = 1 << 10

    private let marks = Mutex<[Position]>([])
    private let secretLines = Mutex<[Range<Int>]?>(nil)
    private let isMarked = SecretName.isMarked

    /// Returns the lines that may show a secret. Every call must pass the same text.
    func secretLines(in text: [UInt8]) -> [Range<Int>] {
        secretLines.withLock { lines in
            let isMarked = isMarked
            let isSecret = { (name: String) in
                SecretName.looksSecret(name) || SecretName.resemblesSecret(name) || isMarked?(name) == true
            }
            let found = lines ?? SecretLines(text, isSecret: isSecret).ranges
            lines = found
            return found
        }
    }

    /// Returns the position of a byte. Every call must pass the same text, since the marks are computed only once.
    func position(of offset: Int, in text: [UInt8]) -> Position {
        if offset < Self.step { return Self.position(of: offset, from: Position(), at: 0, in: text) }
        let mark = offset / Self.step
        let start = marks.withLock { marks in
            if marks.isEmpty { marks = Self.marks(in: text) }
            return marks[mark]
        }
        return Self.position(of: offset, from: start, at: mark * Self.step, in: text)
    }

    private static func marks(in text: [UInt8]) -> [Position] {
        var marks = [Position()]
        marks.reserveCapacity(text.count / step + 1)
        for end in stride(from: step, through: text.count, by: step) {
            marks.append(position(of: end, from: marks[marks.count - 1], at: end - step, in: text))
        }
        return marks
    }

    private static func position(
        of end: Int, from start: Position, at offset: Int, in text: [UInt8]
    ) -> Position {
        var position = start
        for index in offset..<end {
            let byte = text[index]
            if byte == .newline {
                position.line += 1
                position.lineStart = index + 1
            }
            if byte & 0xC0 != 0x80 { position.scalars += 1 }
        }
        return position
    }
}
