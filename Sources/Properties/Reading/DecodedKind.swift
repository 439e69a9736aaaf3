/// Finds out what kind of value a `Decodable` type is made of: what its `init(from:)` asks for first.
private final class DecodedKind: Decoder {
    /// The noun for what was asked for, or nil if nothing was.
    private var noun: String?

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Ends the decoding at the first question.
    private struct End: Error {}

    static func noun(of type: any Decodable.Type) -> String? {
        let decoder = DecodedKind()
        _ = try? type.init(from: decoder)
        return decoder.noun
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw end("a table")
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw end("an array") }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func end(_ noun: String) -> End {
        self.noun = self.noun ?? noun
        return End()
    }
}

extension DecodedKind: SingleValueDecodingContainer {
    func decodeNil() -> Bool { false }
    // A type of another kind is not looked into: such types may be nested deeply.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        throw end((type as? any SourceConvertible.Type)?.propertyTypeName ?? "a value")
    }
}

extension TypeName {
    /// Returns the noun for the values of a `Decodable` type: "a string for UUID".
    static func noun(decoding type: any Decodable.Type) -> String {
        "\(DecodedKind.noun(of: type) ?? "a value") for \(type)"
    }
}
