import TextBasics

extension SourceBytes {
    /// Returns whether the digits at an offset start a date (`1979-`) or a time (`07:`) and not a number.
    func isDateTime(at offset: Int) -> Bool {
        self[offset + 4] == .minus && areDigits(offset..<offset + 4)
            || self[offset + 2] == .colon && areDigits(offset..<offset + 2)
    }

    private func areDigits(_ range: Range<Int>) -> Bool { range.allSatisfy { self[$0].isDigit } }
}

extension TomlParser {
    /// Reads a date-time (ABNF: `date-time = offset-date-time / local-date-time / local-date / local-time`).
    mutating func dateTime() throws(Diagnostic) -> PropertyDateTime {
        let start = cursor.offset
        let scanned: (value: PropertyDateTime, length: Int)
        do throws(PropertyDateTime.ScanError) {
            scanned = try PropertyDateTime.scan { [bytes = cursor.bytes] in bytes[start + $0] }
        } catch {
            throw diagnostics.invalidDateTime(error, start: start)
        }
        cursor.advance(scanned.length)
        guard cursor.byte.isWordPart || ".+-:".utf8.contains(cursor.byte) else { return scanned.value }
        switch scanned.value.kind {
        case .localDate: throw diagnostics.invalidDate(at: start)
        case .localTime: throw diagnostics.invalidTime(at: start)
        case .localDateTime, .offsetDateTime: throw diagnostics.invalidTime(at: start + "2026-11-21T".utf8.count)
        }
    }
}
