import PropertyLoadersEssentials

/// The entry point that libFuzzer calls with each input. A crash or a hang is a finding; a result or an error is not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJson(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for isStrict in [true, false] {
        do {
            let loader = JsonPropertyLoader(
                bytes: bytes, name: "fuzz", allowsComments: !isStrict, allowsTrailingCommas: !isStrict)
            _ = try loader.load().warnings.map(\.longDescription)
        } catch {
            _ = (error as? PropertyLoadError)?.longDescription
        }
    }
    return 0
}
