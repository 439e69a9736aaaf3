import TextBasics

/// The repairs of errors in JSON.
enum JsonRepairs {
    /// Returns a change that mends an error, or nil if the text after the error cannot be understood.
    static func repair(_ failure: Recovery.Failure, in bytes: [UInt8]) -> Recovery.Repair? {
        guard let offset = failure.diagnostic.offset else { return nil }
        let text = RepairText(bytes: bytes, format: .json)
        if let repair = text.repairOfMergeConflict(at: offset) { return repair }
        let outline = Outline(of: text, to: offset)
        if let repair = text.repairOfCharacter(at: offset, outline) { return repair }
        if outline.open.isEmpty { return rootRepair(at: offset, outline, text) }
        return BracketRepairs(text: text, offset: offset, outline: outline, key: #""key""#).repair
    }

    /// Returns the repair of an error outside of all brackets.
    private static func rootRepair(at offset: Int, _ outline: Outline, _ text: RepairText) -> Recovery.Repair? {
        guard let last = outline.last else { return nil }
        switch text[offset] {
        case .closeBrace, .closeBracket:
            return Recovery.Repair(range: offset..<offset + 1, replacement: "", resumption: offset + 1)
        // The bracket before the comma has closed the whole document, so there was one bracket too many.
        case .comma where text[last] == .closeBrace || text[last] == .closeBracket:
            return Recovery.Repair(range: last..<last + 1, replacement: "", resumption: offset + 1)
        default: return nil
        }
    }
}
