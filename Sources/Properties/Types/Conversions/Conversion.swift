/// Converts nodes to Swift values. Every typed read uses it.
enum Conversion {
    /// Returns the value of a node as the given type. Throws if the value cannot be converted without loss.
    ///
    /// Uses the first of these that applies: the stored value, if it has the type already; then the conformance of the
    /// type to `PropertyConvertible`, `RawRepresentable` or `Decodable`. The context has the position of the node inside
    /// the value that is read.
    static func convert<T>(
        _ node: PropertyNode, to type: T.Type, in context: ConversionContext = ConversionContext()
    ) throws(PropertyError) -> T {
        try BasicType.value(node.value, as: type) { () throws(PropertyError) in
            if case .opaque(let opaque) = node.value, let same = stored(opaque.value, as: type) { return same }
            // `make` has created the value as this type, so the cast fails only if a conversion has a bug.
            guard let value = try make(type, of: node, in: context) as? T else {
                throw PropertyError(.wrongType, node, expected: TypeName.noun(type))
            }
            return value
        }
    }

    /// Returns the value of a node as a `Decodable` type.
    ///
    /// The result is the same as in `convert`. A type that has only `init(from:)` is decoded directly, without a lookup
    /// of the conformance and without an `Any` that contains the value.
    static func decode<T: Decodable>(
        _ node: PropertyNode, to type: T.Type, in context: ConversionContext
    ) throws(PropertyError) -> T {
        if node.isOpaque || hasOwnConversion(type) { return try convert(node, to: type, in: context) }
        return try NodeDecoder.decode(type, from: node, in: context)
    }

    private static func hasOwnConversion(_ type: Any.Type) -> Bool {
        type is any PropertyConvertible.Type || type is any RawRepresentable.Type
    }

    /// Converts a value that is inside another value: an element of an array, or the value of an entry of a table.
    ///
    /// The step is the path from the outer to the inner value, such as `[2]` or `.port`. The context belongs to the
    /// outer value.
    static func part<T>(
        _ node: PropertyNode, _ step: @autoclosure () -> String, to type: T.Type,
        in context: ConversionContext
    ) throws(PropertyError) -> T {
        do throws(PropertyError) {
            return try inner(node, to: type, in: context)
        } catch {
            throw error.inside(step())
        }
    }

    /// Converts a value that is inside another value. The context belongs to the outer value.
    static func inner<T>(
        _ node: PropertyNode, to type: T.Type, in context: ConversionContext
    ) throws(PropertyError) -> T {
        try context.nested.checkDepth(of: node)
        return try convert(node, to: type, in: context.nested)
    }

    /// Returns the value itself if it has the given type, otherwise nil.
    private static func stored<T>(_ value: Any, as type: T.Type) -> T? {
        // A class instance must not be cast to these types: only Foundation's bridging can do that, and it would turn
        // the `NSNumber` 1 into `true`.
        let isBridged = type == Bool.self || type is any Numeric.Type || type is any NestedConvertible.Type
        return isBridged && Swift.type(of: value) is AnyClass ? nil : value as? T
    }

    private static func make(
        _ type: Any.Type, of node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> Any {
        do throws(PropertyError) {
            return try made(type, of: node, in: context)
        } catch {
            // White space at the ends of a secret is invisible, so the error reports it if it is the reason.
            guard !error.isInside, let (repaired, flaw) = repaired(node.single),
                (try? made(type, of: repaired, in: context)) != nil
            else { throw error }
            throw error.changed { $0.flaw = flaw }
        }
    }

    /// Returns a text without the white space or the quotation marks around it, and a description of them, or nil if
    /// there are none.
    private static func repaired(_ node: PropertyNode) -> (PropertyNode, TextFlaw)? {
        switch node.value {
        case .string(let text):
            TextFlaw(text).map { (PropertyNode(.string($0.repaired), origin: node.origin), $0) }
        case .text(let text):
            TextFlaw(text).map { (PropertyNode(.text($0.repaired), origin: node.origin), $0) }
        default: nil
        }
    }

    // Not generic, because this is on the stack once for each level of a value, and a generic function would reserve
    // space for a `T` in each frame.
    @inline(__always)
    private static func made(
        _ type: Any.Type, of node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> Any {
        if type == Any.self { return try plain(node.single, in: context) }
        switch type {
        case let convertible as any PropertyConvertible.Type:
            if let nested = type as? any NestedConvertible.Type { return try nested.init(property: node, in: context) }
            let isAnything = type == PropertyNode.self || type == PropertyValue.self
            return try convertible.init(property: isAnything ? node : node.single)
        case let raw as any RawRepresentable.Type: return try makeRaw(raw, of: node)
        case let decodable as any Decodable.Type: return try NodeDecoder.decode(decodable, from: node, in: context)
        default: throw PropertyError(.wrongType, node, expected: TypeName.noun(type))
        }
    }

    private static func makeRaw<R: RawRepresentable>(
        _ type: R.Type, of node: PropertyNode
    ) throws(PropertyError) -> Any {
        let raw: R.RawValue, node = node.single
        do throws(PropertyError) {
            raw = try convert(node, to: R.RawValue.self)
        } catch {
            // In the message, the names of the cases are more helpful than the type of their raw values.
            guard TypeName.caseNames(type) != nil else { throw error }
            throw PropertyError(error.reason, node, expected: TypeName.noun(type))
        }
        // The enum compares the text with each case as Swift strings. Text for which that could take quadratic time is
        // rejected without a comparison.
        let isCheap = (raw as? String)?.comparesInLinearTime ?? true
        if isCheap, let value = R(rawValue: raw) { return value }
        if let type = type as? any CaseInsensitiveValue.Type, let text = raw as? String,
            let value = type.value(withLettersOf: text)
        {
            return value
        }
        let nearest = TypeName.nearestCase(of: type, to: ValueText.short(node.value))
        throw PropertyError(
            .notACase, node, expected: TypeName.noun(type), remedy: nearest.map { "Did you mean \($0)?" })
    }
}

/// A type that contains other values. Its conversion receives a context and passes it on to the conversions of these
/// values.
protocol NestedConvertible: PropertyConvertible {
    init(property node: PropertyNode, in context: ConversionContext) throws(PropertyError)
}

/// Converts values to the four most common types without a lookup of their conformances, which is slow.
enum BasicType {
    /// Returns the value if it is stored as the given type. Otherwise calls the general conversion.
    @inline(__always)
    static func value<T, E: Error>(
        _ value: PropertyValue, as type: T.Type, else convert: () throws(E) -> T
    ) throws(E) -> T {
        // Does not return `T?`, because generic code would look up the metadata of that type at run time.
        switch value {
        case .integer(let integer) where type == Int.self:
            if let integer = Int(exactly: integer) { return uncheckedCast(integer, to: type) }
        case .string(let string) where type == String.self: return uncheckedCast(string, to: type)
        case .bool(let bool) where type == Bool.self: return uncheckedCast(bool, to: type)
        case .double(let double) where type == Double.self: return uncheckedCast(double, to: type)
        default: break
        }
        return try convert()
    }

    /// Returns a value of the type `From` as a value of the type `To`, which must be the same type.
    // Safe: each caller has just checked that `From` and `To` are the same type.
    @inline(__always)
    static func uncheckedCast<From, To>(_ value: From, to type: To.Type) -> To {
        unsafe unsafeBitCast(value, to: type)
    }
}
