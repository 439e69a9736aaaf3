/// Text taken apart by bytes, as the system and the formats do it.
///
/// A combining mark makes one character with what stands before it, so by characters neither `hasPrefix("--")` nor
/// `split(separator: ".")` finds its ASCII text before one.
extension StringProtocol where SubSequence == Substring {
    /// Whether the bytes of some text stand at the start.
    func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// The parts between bytes that separate them, empty ones included.
    func parts(between separator: Unicode.Scalar) -> [Substring] {
        var parts: [Substring] = []
        var start = startIndex
        while let end = self[start...].utf8.firstIndex(where: { UInt32($0) == separator.value }) {
            parts.append(self[start..<end])
            start = utf8.index(after: end)
        }
        return parts + [self[start...]]
    }
}
