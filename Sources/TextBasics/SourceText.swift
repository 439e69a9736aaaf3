import Synchronization

/// The bytes of a text source, kept so that lines and columns can be found when somebody asks.
public struct SourceText: Sendable {
    // May be followed by bytes that a parser put there for its own ends.
    private let bytes: [UInt8]
    /// How many bytes the text has.
    public let count: Int
    private let marks = LineMarks()

    /// Keeps the text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, which need not be valid: each byte that begins no scalar counts with the one before it.
    ///   - count: how many of the bytes are the text; left out, all.
    public init(bytes: [UInt8], count: Int? = nil) {
        self.bytes = bytes
        self.count = min(count ?? bytes.count, bytes.count)
    }

    /// The line and the column of a byte, both from 1; a column is a Unicode scalar, a tab is one.
    ///
    /// A byte order mark at the start has no column.
    public func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
        let end = min(max(offset, 0), count)
        let place = marks.position(of: end, in: bytes[..<count])
        let start = max(place.lineStart, startOfText)
        guard start < end else { return (place.line, 1) }
        return (place.line, 1 + place.scalars - marks.position(of: start, in: bytes[..<count]).scalars)
    }

    /// The line that a byte is in, without its end; invalid UTF-8 is shown as U+FFFD.
    public func lineText(at offset: Int) -> String {
        let place = min(max(offset, 0), count)
        var start = place
        while start > startOfText, bytes[start - 1] != .newline { start -= 1 }
        var end = place
        while end < count, bytes[end] != .newline { end += 1 }
        if end > start, bytes[end - 1] == .carriageReturn { end -= 1 }
        return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
    }

    /// The part of a line around a byte, without the line's end.
    ///
    /// A line of many megabytes costs no more than a short one.
    ///
    /// - Parameters:
    ///   - before: how many scalars before the byte it has at most.
    ///   - width: how many scalars it has at most.
    package func lineText(around offset: Int, before: Int, width: Int) -> String {
        let place = min(max(offset, 0), count)
        var start = place
        var scalars = 0
        while scalars < before, start > startOfText, bytes[start - 1] != .newline {
            start -= 1
            if isScalarStart(start) { scalars += 1 }
        }
        var end = place
        while end < count, bytes[end] != .newline, scalars < width || !isScalarStart(end) {
            if isScalarStart(end) { scalars += 1 }
            end += 1
        }
        if end > start, end == count || bytes[end] == .newline, bytes[end - 1] == .carriageReturn { end -= 1 }
        return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
    }

    /// The bytes from an offset up to the first that is not included.
    package func bytes(from offset: Int, while isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        guard (0...count).contains(offset) else { return [] }
        return bytes[offset..<count].prefix(while: isIncluded)
    }

    private func isScalarStart(_ place: Int) -> Bool { bytes[place] & 0xC0 != 0x80 }

    private var startOfText: Int { min(UTF8Text.start(of: bytes), count) }
}

extension SourceText: CustomStringConvertible, CustomReflectable {
    /// How long the text is. What it says may be secret.
    public var description: String { "\(count) bytes" }

    /// The length alone.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

/// What is known of a text's lines at regular places, so that finding one place does not count from the start.
///
/// Made when somebody asks for the first time: a listing of all properties asks once for each.
private final class LineMarks: Sendable {
    /// What stands before a byte.
    struct Position {
        /// Line feeds before it, plus 1.
        var line = 1
        /// Where its line begins.
        var lineStart = 0
        /// Unicode scalars before it: bytes that continue none (10xxxxxx).
        var scalars = 0
    }

    /// How many bytes lie between two marks.
    private static let step = 1 << 10

    private let marks = Mutex<[Position]>([])

    /// What stands before a byte of the text, which is the same one in every call.
    func position(of offset: Int, in text: ArraySlice<UInt8>) -> Position {
        if offset < Self.step { return Self.position(of: offset, from: Position(), at: 0, in: text) }
        let mark = offset / Self.step
        let start = marks.withLock { marks in
            if marks.isEmpty { marks = Self.marks(in: text) }
            return marks[mark]
        }
        return Self.position(of: offset, from: start, at: mark * Self.step, in: text)
    }

    private static func marks(in text: ArraySlice<UInt8>) -> [Position] {
        var marks = [Position()]
        marks.reserveCapacity(text.count / step + 1)
        for end in stride(from: step, through: text.count, by: step) {
            marks.append(position(of: end, from: marks[marks.count - 1], at: end - step, in: text))
        }
        return marks
    }

    private static func position(
        of end: Int, from start: Position, at offset: Int, in text: ArraySlice<UInt8>
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
