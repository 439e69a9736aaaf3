/// Turns the keys of tables into those of dictionaries.
enum DictionaryKey {
    /// The key of an entry as a dictionary's.
    static func convert<Key: CodingKeyRepresentable>(
        _ entry: PropertyTable.Entry, to type: Key.Type
    ) throws(PropertyMismatch) -> Key {
        if type == String.self { return Basic.same(entry.key, as: type) }
        guard let key = Key(codingKey: TextKey(entry.key)) else {
            throw PropertyMismatch(.notParsable, entry.node, expected: "a key that is \(TypeName.noun(type))")
                .inside(".\(entry.key)")
        }
        return key
    }

    /// The error about an entry whose key is equal to the key of an earlier entry.
    static func duplicate<Key: CodingKeyRepresentable & Equatable>(
        _ entry: PropertyTable.Entry, _ key: Key, in table: PropertyTable
    ) -> PropertyMismatch {
        let first = table.first { Key(codingKey: TextKey($0.key)) == key }
        // Swift's strings are equal where their bytes differ by Unicode normalisation; the store's keys are not.
        let expected =
            Key.self == String.self
            ? "keys that differ by more than Unicode normalisation"
            : "a key that is not equal to '\(first?.key ?? "")' as \(Key.self)"
        return PropertyMismatch(.wrongType, entry.node, expected: expected, remedy: "Remove one of the two")
            .inside(".\(entry.key)")
    }

    /// A key of a table, which is a number too where its text is one.
    private struct TextKey: CodingKey {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }
        init(_ text: String) { stringValue = text }
        init(stringValue: String) { self.init(stringValue) }
        init(intValue: Int) { self.init(String(intValue)) }
    }
}
