import Synchronization

/// What is known of a text's lines at regular places, so that finding one place does not count from the start.
///
/// Made when somebody asks for the first time: a listing of all properties asks once for each.
final class LineMarks: Sendable {
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
            if byte == UInt8(ascii: "\n") {
                position.line += 1
                position.lineStart = index + 1
            }
            if byte & 0xC0 != 0x80 { position.scalars += 1 }
        }
        return position
    }
}
