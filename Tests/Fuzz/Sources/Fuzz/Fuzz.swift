import Foundation
import FuzzTargets

/// The target that the environment variable `FUZZ_TARGET` names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        fatalError("FUZZ_TARGET is '\(name)'; expected one of: \(names)")
    }
    return target
}()

/// The entry point that libFuzzer calls with each input. A violated property ends the process, like a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(target.name): \(error)")
    }
    return 0
}
