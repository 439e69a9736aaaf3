import Properties

/// The variables of the process, whose values need not be text.
///
/// Not those of Foundation, whose dictionary makes one variable of names that are the same characters.
enum ProcessEnvironment {
    /// All variables. Of a name that stands twice the first counts, as for the C library.
    static var variables: [(name: String, value: PropertyValue)] {
        var seen: Set<PropertyKey> = []
        return System.variables.compactMap { variable in
            let name = String(decoding: variable.name, as: UTF8.self)
            return seen.insert(PropertyKey(name)).inserted ? (name, value(of: variable.value)) : nil
        }
    }

    /// What a variable is set to: text, or its bytes where it is none; nil where it is not set.
    static func value(of name: String) -> PropertyValue? {
        System.variable(name).map { value(of: $0[...]) }
    }

    private static func value(of bytes: ArraySlice<UInt8>) -> PropertyValue {
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data(Array(bytes))
    }
}
