import Foundation
import FuzzTargets

/// The target that the environment variable `FUZZ_TARGET` names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        let message = "FUZZ_TARGET is '\(name)'; expected one of: \(names)\n"
        FileHandle.standardError.write(Data(message.utf8))
        // Not `exit`, which would report the memory that is still in use as a leak.
        _exit(64)
    }
    return target
}()

/// The entry point that libFuzzer calls once before the first input.
///
/// It finds the target, because libFuzzer reports an exit during an input as a finding.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    _ = target
    return 0
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        // libFuzzer keeps only an input that ends the process.
        fatalError("\(target.name): \(error)")
    }
    return 0
}
