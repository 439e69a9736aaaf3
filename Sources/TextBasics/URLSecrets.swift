/// Masks the secrets of URLs in text. Every description of a string passes here.
///
///     postgres://app:hunter2@db/app         postgres://app:********@db/app
///     https://ghp_16C7e42F292c69@host/x     https://********@host/x
///     https://host/?page=2&token=4711       https://host/?page=2&token=********
///
/// A password often has characters that a URL must escape. Therefore the rule may mask too much, never too little: it
/// goes from the first `:` after "scheme://" to the last `@` of the word, unless a query begins before. But in a URL of
/// the web, a port between a host and a path is not a password, because paths of packages often have an `@`.
package enum URLSecrets {
    /// The text that is shown in place of a secret.
    package static let mask = "********"

    /// Returns a text with the secrets of its URLs masked. A text that is masked already does not change.
    package static func masked(_ text: String) -> String {
        guard text.contains(byte: .slash), text.contains(byte: .colon) else { return text }
        let bytes = Array(text.utf8)
        let ranges = ranges(in: bytes[...])
        return ranges.isEmpty ? text : Self.text(of: bytes[...], masking: ranges)
    }

    /// The number of bytes around a part of a text that are searched for the beginning and the end of a URL.
    package static let reach = 1 << 12

    /// Returns a range of a text with the secrets of URLs masked, also of URLs that begin or end outside of the range.
    ///
    /// - Parameters:
    ///   - range: the range of the bytes to show.
    ///   - window: the bytes of the range, and some before and after it.
    ///   - start: the offset of the first byte of the window.
    /// - Returns: the text.
    package static func masked(_ range: Range<Int>, in window: [UInt8], startingAt start: Int) -> String {
        let part = (range.lowerBound - start..<range.upperBound - start).clamped(to: window.indices)
        return text(of: window[part], masking: ranges(in: window[...]))
    }

    /// Returns a part of a text with the secrets of its URLs masked, including secrets that are only partly in the
    /// part.
    ///
    /// - Parameters:
    ///   - part: the range of the bytes to show.
    ///   - ranges: the ranges of the secrets, in order.
    /// - Returns: the text. If it begins or ends inside of a secret, that secret is masked as a whole.
    static func text(of part: ArraySlice<UInt8>, masking ranges: [Range<Int>]) -> String {
        var shown: [UInt8] = []
        var position = part.startIndex
        for range in ranges where range.overlaps(part.indices) {
            shown += part[position..<max(position, range.lowerBound)]
            shown += mask.utf8
            position = min(range.upperBound, part.endIndex)
        }
        return String(decoding: shown + part[position...], as: UTF8.self)
    }

    /// Returns the ranges of the secrets in a text in UTF-8, in order and apart from each other. It takes linear time.
    package static func ranges(in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        // No `@` is between the end of the last word and this offset.
        var start = bytes.startIndex, searched = bytes.startIndex
        while start < bytes.endIndex {
            var end = bytes[start...].firstIndex(where: \.endsWord) ?? bytes.endIndex
            if Word(bytes: bytes[start..<end]).endsInPassword {
                searched = bytes[max(searched, end)...].firstIndex { $0 == .at || $0 == .newline } ?? bytes.endIndex
                if searched < bytes.endIndex, bytes[searched] == .at {
                    end = bytes[searched...].firstIndex(where: \.endsWord) ?? bytes.endIndex
                }
            }
            let word = Word(bytes: bytes[start..<end])
            found += (word.userInformation() + word.queryItems()).sorted { $0.lowerBound < $1.lowerBound }
            start = end + 1
        }
        return found.reduce(into: []) { ranges, range in
            var start = range.lowerBound
            if let last = ranges.last, last.upperBound > start {
                // The `@` after a password stays, so that the masked text is read in the same way.
                start = bytes[last.upperBound...].first == .at ? last.upperBound + 1 : last.upperBound
            }
            if start < range.upperBound { ranges.append(start..<range.upperBound) }
        }
    }
}

/// A text without white space, except in a password.
private struct Word {
    let bytes: ArraySlice<UInt8>

    /// The longest user name in characters. Longer user information is a token if it has digits or no password.
    private static let longestUser = 15

    /// Whether the text ends after a user name and a part of a password, and not after a host and its port.
    var endsInPassword: Bool {
        guard let start = authority(from: bytes.startIndex), let colon = bytes[start...].firstIndex(of: .colon),
            bytes[start] != .openBracket
        else { return false }
        let rest = bytes[(colon + 1)...], port = rest.prefix(while: \.isDigit)
        let isPort = !port.isEmpty && rest.dropFirst(port.count).first.map(\.isWordPart) != true
        return !rest.isEmpty && !isPort && !rest.contains(.at)
    }

    /// The passwords, and the long user information without a password.
    func userInformation() -> [Range<Int>] {
        guard var start = authority(from: bytes.startIndex), let lastAt = bytes.lastIndex(of: .at) else { return [] }
        var found: [Range<Int>] = []
        while true {
            if let end = portEnd(from: start) {
                guard let next = authority(from: end) else { return found }
                start = next
                continue
            }
            let colon = bytes[start...].firstIndex(of: .colon)
            if let at = bytes[start..<pathStart(from: start)].lastIndex(of: .at), colon.map({ $0 > at }) ?? true,
                at - start > Self.longestUser
            {
                found.append(start..<at)
            }
            // A later `://` has a colon, and no `@` follows the last one.
            guard let colon, colon < lastAt else { return found }
            let end = maskEnd(from: colon + 1, { $0 == .at }) ?? passwordEnd(from: colon + 1, lastAt)
            if isToken(start..<colon, password: bytes[(colon + 1)..<end]) { found.append(start..<colon) }
            if colon + 1 < end, maskEnd(from: colon + 1, { $0 == .at }) == nil { found.append(colon + 1..<end) }
            guard let next = authority(from: end) else { return found }
            start = next
        }
    }

    /// Whether a user name is a token, which some servers take in place of a name: if the password is empty or has no
    /// meaning, or if the name is long and has digits.
    private func isToken(_ user: Range<Int>, password: ArraySlice<UInt8>) -> Bool {
        let name = bytes[user]
        if name.isEmpty || name.contains(.at) { return false }
        if name.count > Self.longestUser, name.contains(where: \.isDigit) { return true }
        switch String(decoding: password, as: UTF8.self).lowercased() {
        case "x-oauth-basic", "x-oauth-token": return true
        case "", "x": return isWebScheme(before: user.lowerBound)
        default: return false
        }
    }

    /// Returns the end of a host and a port of a URL of the web, if a path follows them. Otherwise the digits after a
    /// colon may begin a password: "postgres://app:1234/secret@db".
    private func portEnd(from start: Int) -> Int? {
        guard isWebScheme(before: start), start < bytes.endIndex else { return nil }
        let isAddress = bytes[start] == .openBracket
        let host = bytes[start...].prefix {
            $0.isWordPart || $0 == .dot || $0 == .minus || isAddress && ($0 == .colon || $0 == .openBracket)
        }
        let end = isAddress ? host.endIndex + 1 : host.endIndex
        if isAddress {
            guard host.endIndex < bytes.endIndex, bytes[host.endIndex] == .closeBracket else { return nil }
        } else if !host.contains(.dot), String(decoding: host, as: UTF8.self).lowercased() != "localhost" {
            return nil
        }
        guard end < bytes.endIndex, bytes[end] == .colon else { return nil }
        let digits = bytes[(end + 1)...].prefix(while: \.isDigit), rest = bytes[digits.endIndex...]
        guard rest.first == .slash || rest.starts(with: "\\/".utf8),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { return nil }
        return digits.endIndex
    }

    /// Whether the scheme before an authority is one of the web, whose URLs seldom have a password.
    private func isWebScheme(before authority: Int) -> Bool {
        let rest = bytes[..<authority]
        guard let colon = rest.lastIndex(of: .colon) else { return false }
        let scheme = rest[..<colon].reversed().prefix { $0.isWordPart || "+-.".utf8.contains($0) }
        return ["http", "https", "ws", "wss"].contains(String(decoding: scheme.reversed(), as: UTF8.self).lowercased())
    }

    /// Returns the offset of the `@` that ends a password.
    private func passwordEnd(from start: Int, _ lastAt: Int) -> Int {
        guard let at = bytes[start..<pathStart(from: start)].lastIndex(of: .at) else { return lastAt }
        // A password with both `@` and a character that should be escaped continues after the `@`.
        let end = bytes[at...].indices.first { isEnd($0) } ?? bytes.endIndex
        return bytes[at..<end].lastIndex(of: .at) ?? at
    }

    /// Whether a URL or its query begins at an offset: `://`, or `?name=` or `#name=`.
    private func isEnd(_ offset: Int) -> Bool {
        guard [.question, .hash].contains(bytes[offset]) else { return authority(at: offset) != nil }
        let name = bytes[(offset + 1)...].prefix { $0.isWordPart || $0 == .minus || $0 == .dot }
        return name.endIndex < bytes.endIndex && bytes[name.endIndex] == .equals
    }

    /// The values of query items that have the name of a secret.
    func queryItems() -> [Range<Int>] {
        guard var position = authority(from: bytes.startIndex) else { return [] }
        var found: [Range<Int>] = []
        while let separator = bytes[position...].firstIndex(where: Self.beginsItem) {
            position = separator + 1
            let name = bytes[position...].prefix { $0 != .equals && !Self.beginsItem($0) }
            guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == .equals else { continue }
            position = name.endIndex + 1
            guard SecretName.looksSecret(queryItem: String(decoding: name, as: UTF8.self)) else { continue }
            // An item that a semicolon begins also ends with a semicolon, as in a URL of JDBC.
            let isShort = bytes[separator] == .semicolon
            let value = bytes[position...].prefix { $0 != .ampersand && !(isShort && $0 == .semicolon) }
            if !value.isEmpty, maskEnd(from: position, { !$0.isWordPart }) == nil { found.append(value.indices) }
            position = value.endIndex
        }
        return found
    }

    private static func beginsItem(_ byte: UInt8) -> Bool {
        byte == .question || byte == .ampersand || byte == .semicolon || byte == .hash
    }

    /// Returns where the path, the query or the fragment after an offset begins, or the end.
    private func pathStart(from offset: Int) -> Int {
        bytes[offset...].firstIndex { $0 == .slash || $0 == .question || $0 == .hash } ?? bytes.endIndex
    }

    private func authority(from offset: Int) -> Int? {
        bytes[offset...].indices.lazy.compactMap { authority(at: $0) }.first
    }

    /// Returns the offset after a `://` at an offset, which JSON may write as `:\/\/`, or nil if there is none.
    private func authority(at offset: Int) -> Int? {
        guard bytes[offset] == .colon else { return nil }
        let rest = bytes[(offset + 1)...]
        return ["//", "\\/\\/"].first { rest.starts(with: $0.utf8) }.map { offset + 1 + $0.utf8.count }
    }

    /// Returns the offset after a mask, if one is at an offset and a byte that fits, or nothing, follows it.
    private func maskEnd(from offset: Int, _ fits: (UInt8) -> Bool) -> Int? {
        let rest = bytes[offset...], end = offset + URLSecrets.mask.utf8.count
        guard rest.starts(with: URLSecrets.mask.utf8), end == bytes.endIndex || fits(bytes[end]) else { return nil }
        return end
    }
}

extension UInt8 {
    /// Whether the byte is white space in ASCII.
    fileprivate var endsWord: Bool { isWhitespace || self == 0x0B || self == 0x0C }

    fileprivate static var at: UInt8 { 0x40 }
    fileprivate static var question: UInt8 { 0x3F }
}
