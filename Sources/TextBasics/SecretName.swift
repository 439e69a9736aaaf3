/// Recognizes the names that people give to secrets, in any case and with any separator.
///
/// A false alarm costs the user an option, and a miss shows a password. Therefore the rule is generous.
package enum SecretName {
    /// The rule, for help texts.
    package static let rule = """
        a name with password, passphrase, pass, pwd, secret, token, credential, authorization or connection string in \
        it, with a key after any other word than those like public or primary, or with auth, cookie, dsn, jwt, otp, pin, \
        salt or webhook at its end
        """

    /// Returns whether a name is that of a secret by another rule than its words. The command-line tool sets it while
    /// it loads a source, for the secrets of a schema.
    @TaskLocal package static var isMarked: (@Sendable (String) -> Bool)?

    /// Words of secrets, wherever they stand in the letters of a name: `PGPASSWORD`, `secretAccessKey`, `API_TOKENS`.
    private static let parts = [
        "password", "passwd", "passphrase", "passcode", "secret", "token", "credential", "authorization", "bearer",
        "connectionstring", "connstr", "apikey", "accesskey", "accountkey", "encryptionkey", "masterkey", "privatekey",
        "privkey", "sharedkey", "signingkey", "storagekey",
    ].map { Array($0.utf8) }
    /// Words that are too short to be looked for inside of other words.
    private static let words: Set = ["pass", "pwd", "pswd", "pw", "cred", "creds"]
    /// Words of secrets only at the end of a name: the table `auth` has ordinary settings.
    private static let lastWords: Set = ["auth", "cookie", "dsn", "jwt", "otp", "totp", "pin", "salt", "webhook"]
    /// Words that are not about secrets, although they contain or end with a word about secrets.
    private static let harmless: Set = [
        "bypass", "compass", "trespass", "overpass", "underpass", "donkey", "hockey", "hotkey", "jockey", "monkey",
        "pubkey", "turkey", "whiskey", "secretary", "tokenizer", "tokenizers", "tokenize", "tokenized", "tokenization",
    ]
    /// The names of keys that are not secret.
    private static let openKeys: Set = [
        "cache", "column", "dedup", "foreign", "group", "hot", "idempotency", "index", "lookup", "map", "message",
        "object", "order", "partition", "primary", "pub", "public", "routing", "row", "shortcut", "sort",
    ]

    /// Whether a flat name is likely to name a secret: `db.adminPassword`, `SMTP_PASS`, `AZURE_STORAGE_ACCOUNT_KEY`.
    package static func looksSecret(_ name: String) -> Bool {
        var letters: [UInt8] = [], last = ""
        for key in name.parts(between: ".") {
            let words = words(in: key).filter { !harmless.contains($0) }
            for (index, word) in words.enumerated() {
                if isSecret(word, after: last, isLast: index == words.count - 1) { return true }
                letters += word.utf8
                last = word
            }
        }
        return endsSecret(name, last) || parts.contains { contains($0, in: letters) }
    }

    /// Words that are compared with misspelt ones, also in German.
    private static let misspelt = [
        "password", "passwort", "kennwort", "passwd", "passphrase", "passcode", "secret", "secrets", "token", "tokens",
        "credential", "credentials", "authorization", "apikey", "accesskey", "privatekey", "masterkey",
    ].map { Array($0.utf8) }

    /// Whether a name has a word that may be a misspelt word of secrets, as in "pasword = x" or "tken: x". Broken text shows
    /// no value of it. It is too generous for names of valid text, where `taken` is an ordinary word.
    static func resemblesSecret(_ name: String) -> Bool {
        name.parts(between: ".").contains { key in
            let words = words(in: key).map { Array($0.utf8) }
            return words.contains(where: isMisspelt) || isMisspelt(Array(words.joined()))
        }
    }

    /// Whether a word, or its end, differs from a word of secrets by one letter, or by two from a long one, as in
    /// "dbpasword = x".
    private static func isMisspelt(_ letters: [UInt8]) -> Bool {
        misspelt.contains { secret in
            let isLong = secret.count >= 8
            return [letters.count, secret.count, secret.count - 1].prefix(isLong ? 3 : 1).contains {
                Suggestions.distance(Array(letters.suffix($0)), secret, within: isLong ? 2 : 1) != nil
            }
        }
    }

    /// Whether a query item of a URL is likely to have a secret. There, `key` alone is enough, and so is a signature, such
    /// as `X-Amz-Signature`.
    static func looksSecret(queryItem name: String) -> Bool {
        let last = words(in: Substring(name)).last ?? ""
        return name.lowercased() == "key" || last == "sig" || last.ends(with: "signature") || looksSecret(name)
    }

    private static func isSecret(_ word: String, after last: String, isLast: Bool) -> Bool {
        if words.contains(word) || word.ends(with: "pass") || word.ends(with: "pwd") { return true }
        let single = word.ends(with: "keys") ? String(word.dropLast()) : word
        guard single.ends(with: "key") else { return false }
        // A key of a table or a map has no word before it, and the word after a key describes it: `primary_key_name`.
        return single != "key" || isLast && !last.isEmpty && !openKeys.contains(last)
    }

    private static func endsSecret(_ name: String, _ last: String) -> Bool {
        if lastWords.contains(last) { return true }
        return last == "url" && words(in: Substring(name)).suffix(2).first == "webhook"
    }

    private static func contains(_ part: [UInt8], in letters: [UInt8]) -> Bool {
        letters.indices.contains { letters[$0] == part[0] && letters[$0...].starts(with: part) }
    }

    /// Returns the words of a key in lower case, without the digits at their ends. A capital letter begins a word,
    /// except inside an abbreviation.
    private static func words(in key: Substring) -> [String] {
        let bytes = Array(key.utf8)
        let words = bytes.indices.reduce(into: [[UInt8]()]) { words, index in
            let byte = bytes[index]
            if byte < 0x80, !byte.isLetter, !byte.isDigit { return words.append([]) }
            let isAfterCapital = index > 0 && bytes[index - 1].isCapital
            let isBeforeSmall = index + 1 < bytes.count && bytes[index + 1].isSmall
            if byte.isCapital, !isAfterCapital || isBeforeSmall { words.append([]) }
            words[words.count - 1].append(byte.isLetter ? byte | 0x20 : byte)
        }
        return words.map { String(decoding: $0.reversed().drop(while: \.isDigit).reversed(), as: UTF8.self) }
            .filter { !$0.isEmpty }
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { isLetter && self & 0x20 == 0 }
    fileprivate var isSmall: Bool { isLetter && !isCapital }
}
