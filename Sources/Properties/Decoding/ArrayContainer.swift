/// Decodes the elements of an array in their order.
struct ArrayContainer: UnkeyedDecodingContainer {
    let node: PropertyNode
    let nodes: [PropertyNode]
    let codingPath: [any CodingKey]
    let context: ConversionContext
    private(set) var currentIndex = 0

    init(node: PropertyNode, nodes: [PropertyNode], codingPath: [any CodingKey], context: ConversionContext) {
        self.node = node
        self.nodes = nodes
        self.codingPath = codingPath
        self.context = context
    }

    var count: Int? { nodes.count }
    var isAtEnd: Bool { currentIndex >= nodes.count }

    mutating func decodeNil() throws -> Bool {
        guard case .null = try current(expected: "a value").value else { return false }
        currentIndex += 1
        return true
    }

    // One generic method is the witness of all the protocol's decode methods.
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try current(expected: TypeName.noun(type)).decoded(as: type, at: path, in: context)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try decoder(expected: "a table").container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder(expected: "an array").unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder(expected: "a value")
        currentIndex += 1
        return decoder
    }

    private var path: [any CodingKey] { codingPath + [PathKey(intValue: currentIndex)] }

    private func decoder(expected: String) throws -> NodeDecoder {
        try NodeDecoder(inner: try current(expected: expected), codingPath: path, context: context)
    }

    private func current(expected: String) throws -> PropertyNode {
        guard !isAtEnd else {
            let mismatch = PropertyMismatch(.missing, node, expected: expected).inside(path.propertyPath)
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: path, debugDescription: "expected \(expected)", underlyingError: mismatch))
        }
        return nodes[currentIndex]
    }
}
