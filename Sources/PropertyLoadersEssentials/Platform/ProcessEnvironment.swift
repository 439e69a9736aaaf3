#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// The environment variables of the process. Their values may be invalid UTF-8.
///
/// Foundation's dictionary of variables is not used, because it merges variables whose names are canonically equivalent
/// in Unicode but have different bytes.
package enum ProcessEnvironment {
    /// All variables. If several have the same name, only the first is included, which is the variable that `getenv`
    /// finds.
    static var variables: [(name: String, value: PropertyValue)] {
        #if canImport(Darwin)
            let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe _NSGetEnviron().pointee
        #else
            let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe environ
        #endif
        guard var next = unsafe list else { return [] }
        var seen: Set<PropertyKey> = []
        var variables: [(name: String, value: PropertyValue)] = []
        // Safe: the list is terminated by nil, and each text by a zero byte.
        while let text = unsafe next.pointee {
            let bytes = unsafe bytes(of: text)
            unsafe next += 1
            guard let end = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: bytes[..<end], as: UTF8.self)
            guard seen.insert(PropertyKey(name)).inserted else { continue }
            variables.append((name, value(of: bytes[(end + 1)...])))
        }
        return variables
    }

    /// The value of a variable, as text, or as data if the value is not valid UTF-8. Nil if the variable is not set.
    static func value(of name: String) -> PropertyValue? {
        variables.first { $0.name.isSame(as: name) }?.value
    }

    /// The value of a variable as text, or nil if it is not set or not valid UTF-8.
    package static func text(of name: String) -> String? {
        if case .text(let text) = value(of: name) { text } else { nil }
    }

    private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    private static func value(of bytes: ArraySlice<UInt8>) -> PropertyValue {
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data(Array(bytes))
    }
}
