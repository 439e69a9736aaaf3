import TextBasics

// The repairs of invalid characters and of merge conflicts, which are the same in TOML and JSON.
extension RepairText {
    /// Returns the repair of an error in a string or a comment, or of an invisible character; nil if it is another
    /// error.
    func repairOfCharacter(at offset: Int, _ outline: Outline) -> Recovery.Repair? {
        if let string = outline.string {
            // Too many quotes in a row: three remain.
            if self[offset].isQuote {
                var end = offset
                while self[end] == self[offset] { end += 1 }
                return Recovery.Repair(range: offset..<max(offset, end - 3), replacement: "", resumption: end)
            }
            // All errors in a line of a string are one mistake, such as a path with backslashes.
            let end = min(endOfLine(from: offset), string.upperBound)
            return Recovery.Repair(range: offset..<offset + 1, replacement: "x", resumption: end)
        }
        if outline.comment != nil {
            return Recovery.Repair(
                range: offset..<offset + 1, replacement: " ", resumption: endOfLine(from: offset))
        }
        guard let length = lengthOfInvisible(at: offset) else { return nil }
        return Recovery.Repair(range: offset..<offset + length, replacement: " ", resumption: offset + length)
    }

    /// Returns the repair of a merge conflict, which removes the lines from `<<<<<<<` to `>>>>>>>`, or the line of
    /// another marker; nil if there is no marker at the offset.
    func repairOfMergeConflict(at offset: Int) -> Recovery.Repair? {
        guard offset == startOfLine(offset), let marker = "<=>|".utf8.first(where: { isMarker($0, at: offset) }) else {
            return nil
        }
        var line = offset
        while marker == .lessThan, line < count, !isMarker(.greaterThan, at: line) { line = endOfLine(from: line) + 1 }
        let end = endOfLine(from: line < count ? line : offset)
        return Recovery.Repair(range: offset..<end, replacement: "", resumption: end)
    }

    private func isMarker(_ byte: UInt8, at offset: Int) -> Bool {
        (offset..<offset + 7).allSatisfy { self[$0] == byte }
    }
}
