/// Finds the kind of value that a `Decodable` type is decoded from: the first container or value that its `init(from:)`
/// requests.
private final class DecodedKind: Decoder {
    /// The noun for the first request, or nil if there was none.
    private var noun: String?

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Thrown to end the decoding at the first request.
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
    // Does not decode other types, which may be nested deeply.
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
