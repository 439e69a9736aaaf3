import PropertyLoadersEssentials

/// The entry point that libFuzzer calls with each input. A crash or a hang is a finding; a result or an error is not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToml(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        _ = try TomlPropertyLoader(bytes: bytes, name: "fuzz").load()
    } catch {
        _ = (error as? PropertyLoadError)?.longDescription
    }
    return 0
}
