#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Writes to the standard error stream without Foundation.
enum StandardError {
    static func writeLine(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in _ = unsafe write(2, bytes.baseAddress, bytes.count) }
    }
}
