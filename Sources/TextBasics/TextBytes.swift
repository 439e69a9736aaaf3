#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// Functions that compare and split text by its UTF-8 bytes, as operating systems and file formats do.
///
/// Swift's own string functions have two problems with text that comes from input:
/// - They compare and hash by canonical equivalence, which takes quadratic time for a long run of combining characters.
/// - They work on whole characters: `hasPrefix("--")` and `split(separator: ".")` do not find a `-` or a `.` that is
///   followed by a combining character.
///
/// Names are looked up as a `PropertyKey`, which is also compared and hashed by bytes.
extension StringProtocol {
    /// Returns whether both texts have the same bytes.
    package func isSame(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the bytes of this text start with the bytes of another text.
    package func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Returns whether the bytes of this text end with the bytes of another text.
    package func ends(with end: String) -> Bool { utf8.suffix(end.utf8.count).elementsEqual(end.utf8) }

    /// Returns the first place of a text that is not empty, or nil. The functions of the standard library that search for
    /// a text are in the module of regular expressions, which adds 1.4 megabytes to a program.
    package func firstIndex(ofText part: String) -> Index? {
        utf8.indices.first { utf8[$0...].starts(with: part.utf8) }
    }

    /// Returns whether this text sorts before another text by bytes. All lists of names are sorted in this order.
    package func precedes(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension String {
    /// Returns whether both strings have the same bytes. Each look-up of a name compares one pair, so it compares memory.
    package func isSame(as other: String) -> Bool {
        let count = utf8.count
        if count != other.utf8.count { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
            unsafe other.utf8.withContiguousStorageIfAvailable { two in
                guard let one = one.baseAddress, let two = two.baseAddress else { return true }
                return unsafe memcmp(one, two, count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the bytes of this string start with the bytes of another string.
    package func begins(with start: String) -> Bool {
        let count = start.utf8.count
        if count > utf8.count { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
            unsafe start.utf8.withContiguousStorageIfAvailable { two in
                guard let one = one.baseAddress, let two = two.baseAddress else { return true }
                return unsafe memcmp(one, two, count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.starts(with: start.utf8)
    }

    /// Returns whether this string has the bytes of a part of an array. Neither is retained.
    package func isSame(as bytes: [UInt8], in part: Range<Int>) -> Bool {
        if utf8.count != part.count { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
            unsafe bytes.withUnsafeBufferPointer { all in
                let two = unsafe UnsafeBufferPointer(rebasing: all[part])
                guard let one = one.baseAddress, let two = two.baseAddress else { return true }
                return unsafe memcmp(one, two, part.count) == 0
            }
        }
        return isSame ?? utf8.elementsEqual(bytes[part])
    }

    /// Appends the bytes in one step. A view of them, as a sequence, would be asked for its bytes twice.
    package func appendBytes(to bytes: inout [UInt8]) {
        let isAppended: Void? = unsafe utf8.withContiguousStorageIfAvailable { unsafe bytes.append(contentsOf: $0) }
        if isAppended == nil { bytes.append(contentsOf: utf8) }
    }
}

extension String {
    /// Returns whether the text has a byte, such as the dot.
    package func contains(byte: UInt8) -> Bool {
        let isFound = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe memchr(start, Int32(byte), bytes.count) != nil
        }
        return isFound ?? utf8.contains(byte)
    }
}

extension String {
    /// Whether the text has no long run of combining characters, so that Swift compares and hashes it in linear time.
    package var comparesInLinearTime: Bool {
        // Unicode Standard Annex 15, Stream-Safe Text Format: real text has at most 30 combining characters in a row.
        let longestRun = 30
        guard utf8.count > longestRun else { return true }
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            if run > longestRun { return false }
        }
        return true
    }
}

extension Sequence {
    /// Returns the elements, sorted by the bytes of their names.
    package func sorted(byName name: (Element) -> String) -> [Element] { sorted { name($0).precedes(name($1)) } }
}

extension StringProtocol where SubSequence == Substring {
    /// Splits the text at each occurrence of an ASCII separator. The result includes empty parts.
    package func parts(between separator: Unicode.Scalar) -> [Substring] {
        var parts: [Substring] = []
        var start = startIndex
        while let end = self[start...].utf8.firstIndex(where: { UInt32($0) == separator.value }) {
            parts.append(self[start..<end])
            start = utf8.index(after: end)
        }
        return parts + [self[start...]]
    }
}
